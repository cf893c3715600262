package lists

import (
	"bufio"
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/bits"
	"os"
	"slices"
	"time"

	"github.com/cespare/xxhash/v2"
	"golang.org/x/exp/mmap"
)

// A record stands for a line of a list in the index.
type record struct {
	key   key
	line  uint32
	since day // first day on which the list had it
	until day // the last day on which it counts; 0: always
}

// A day is the number of a day in UTC since 1970. A uint16 lasts until 2149.
type day uint16

func dayOf(t time.Time) day {
	if t.Unix() < 0 {
		return 0
	}
	return day(min(t.Unix()/(24*60*60), 1<<16-1))
}

// recordSize is the size in bytes of a record in the file. The file has nothing but records, in
// little endian, sorted by key.
const recordSize = 16

func (r record) append(dst []byte) []byte {
	dst = binary.LittleEndian.AppendUint64(dst, uint64(r.key))
	dst = binary.LittleEndian.AppendUint32(dst, r.line)
	dst = binary.LittleEndian.AppendUint16(dst, uint16(r.since))
	return binary.LittleEndian.AppendUint16(dst, uint16(r.until))
}

func readRecord(b []byte) record {
	return record{
		key(binary.LittleEndian.Uint64(b)), binary.LittleEndian.Uint32(b[8:]),
		day(binary.LittleEndian.Uint16(b[12:])), day(binary.LittleEndian.Uint16(b[14:])),
	}
}

// An index is a file of records that the system maps into memory. The garbage collector unmaps it
// when nothing refers to it.
type index struct {
	file *mmap.ReaderAt // nil if the index is empty
	n    int
	// starts has, for each value of the first bits of a key, the number of the first record with
	// these bits. Hashes are spread evenly, so about perStart records are between two numbers.
	starts []uint32
	shift  int // number of the other bits of a key
}

const perStart = 4

// openIndex maps the index at path. The hash of its content must be sum.
func openIndex(path string, sum uint64) (*index, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	x := &index{n: int(info.Size() / recordSize)}
	if x.n > 1<<32-1 {
		return nil, fmt.Errorf("index %q: too large", path)
	}
	width := bits.Len(uint(x.n / perStart))
	x.shift = 64 - width
	x.starts = make([]uint32, 1<<width+1)
	digest := xxhash.New()
	begun := 0 // number of starts that are set
	block := make([]byte, 1<<16)
	for size := 0; ; {
		n, err := io.ReadFull(file, block)
		_, _ = digest.Write(block[:n]) // never fails
		for at := 0; at+recordSize <= n; at += recordSize {
			bucket := int(binary.LittleEndian.Uint64(block[at:]) >> x.shift)
			for ; begun <= bucket; begun++ {
				x.starts[begun] = uint32((size + at) / recordSize)
			}
		}
		size += n
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			break
		}
		if err != nil {
			return nil, err
		}
	}
	if info.Size()%recordSize != 0 || digest.Sum64() != sum {
		return nil, fmt.Errorf("index %q: damaged", path)
	}
	for ; begun < len(x.starts); begun++ {
		x.starts[begun] = uint32(x.n)
	}
	if x.n == 0 {
		return x, nil
	}
	if x.file, err = mmap.Open(path); err != nil {
		return nil, err
	}
	// Another process may have replaced the file since then.
	if now, err := os.Stat(path); err != nil || !os.SameFile(info, now) {
		return nil, fmt.Errorf("index %q: replaced while it was opened", path)
	}
	return x, nil
}

func (x *index) at(i int) record {
	var b [recordSize]byte
	if _, err := x.file.ReadAt(b[:], int64(i)*recordSize); err != nil {
		return record{}
	}
	return readRecord(b[:])
}

// find returns the record with a key.
func (x *index) find(k key) (record, bool) {
	if x.n == 0 {
		return record{}, false
	}
	bucket := k >> x.shift
	low, high := int(x.starts[bucket]), int(x.starts[bucket+1])
	for high-low > 2*perStart { // needed only if keys are not spread evenly
		if mid := low + (high-low)/2; x.at(mid).key < k {
			low = mid + 1
		} else {
			high = mid + 1
		}
	}
	for i := low; i < high; i++ {
		if r := x.at(i); r.key >= k {
			return r, r.key == k
		}
	}
	return record{}, false
}

// chunk is how many records are sorted in memory at once: 32 MiB.
const chunk = 2 << 20

// A builder collects the records of a list in any order. Each full chunk is sorted and kept in a
// file.
type builder struct {
	folder  string
	records []record
	runs    []*os.File // files of sorted records
}

func (b *builder) add(r record) error {
	b.records = append(b.records, r)
	if len(b.records) < chunk {
		return nil
	}
	return b.spill()
}

// spill sorts the records in memory and writes them to a temporary file whose name is already
// removed.
func (b *builder) spill() error {
	b.sort()
	file, err := os.CreateTemp(b.folder, ".run-*")
	if err != nil {
		return err
	}
	b.runs = append(b.runs, file)
	if err := os.Remove(file.Name()); err != nil {
		return err
	}
	w := bufio.NewWriterSize(file, 1<<16)
	var room [recordSize]byte
	for _, r := range b.records {
		if _, err := w.Write(r.append(room[:0])); err != nil {
			return err
		}
	}
	b.records = b.records[:0]
	if err := w.Flush(); err != nil {
		return err
	}
	_, err = file.Seek(0, io.SeekStart)
	return err
}

func (b *builder) sort() {
	slices.SortFunc(b.records, func(x, y record) int { return cmp.Or(cmp.Compare(x.key, y.key), cmp.Compare(x.line, y.line)) })
}

func (b *builder) close() {
	for _, file := range b.runs {
		file.Close()
	}
}

// differences has the numbers of entries that an index has and the one before lacks, and the
// reverse.
type differences struct {
	entries, duplicates, added, removed int
}

// write writes the index. A record that the index before has, too, keeps its first day, unless the
// list itself gives one.
func (b *builder) write(ctx context.Context, to io.Writer, before *index, today day) (d differences, sum uint64, err error) {
	digest := xxhash.New()
	w := bufio.NewWriterSize(io.MultiWriter(to, digest), 1<<16)
	old := 0
	var last record
	var room [recordSize]byte
	put := func(r record) error {
		if d.entries > 0 && r.key == last.key {
			d.duplicates++
			return nil
		}
		last = r
		if d.entries++; d.entries%(1<<16) == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		for old < before.n && before.at(old).key < r.key {
			old++
			d.removed++
		}
		since := today
		if old < before.n {
			if had := before.at(old); had.key == r.key {
				since = had.since
				old++
			} else {
				d.added++
			}
		} else {
			d.added++
		}
		if r.since == 0 {
			r.since = since
		}
		_, err := w.Write(r.append(room[:0]))
		return err
	}
	if err := b.merge(put); err != nil {
		return d, 0, err
	}
	d.removed += before.n - old
	err = w.Flush()
	return d, digest.Sum64(), err
}

// merge calls put for all records in order.
func (b *builder) merge(put func(record) error) error {
	b.sort()
	if len(b.runs) == 0 {
		for _, r := range b.records {
			if err := put(r); err != nil {
				return err
			}
		}
		return nil
	}
	if err := b.spill(); err != nil {
		return err
	}
	b.records = nil
	heads, readers := make([]record, len(b.runs)), make([]*bufio.Reader, len(b.runs))
	var room [recordSize]byte
	next := func(i int) error {
		_, err := io.ReadFull(readers[i], room[:])
		heads[i] = readRecord(room[:])
		return err
	}
	for i, file := range b.runs {
		readers[i] = bufio.NewReaderSize(file, 1<<16)
		if err := next(i); errors.Is(err, io.EOF) {
			readers[i] = nil
		} else if err != nil {
			return err
		}
	}
	for {
		first := -1
		for i := range heads {
			if readers[i] != nil && (first < 0 || heads[i].key < heads[first].key) {
				first = i // the runs are in the order of lines
			}
		}
		if first < 0 {
			return nil
		}
		if err := put(heads[first]); err != nil {
			return err
		}
		if err := next(first); errors.Is(err, io.EOF) {
			readers[first] = nil
		} else if err != nil {
			return err
		}
	}
}
