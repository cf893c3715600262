package main

import "strings"

// maxTable bounds the table of a line diff; larger texts differ as a whole.
const maxTable = 4 << 20

// lineChanges returns the runs of lines that differ, with their line ends.
func lineChanges(old, new string) []change {
	a, b := strings.SplitAfter(old, "\n"), strings.SplitAfter(new, "\n")
	for len(a) > 0 && len(b) > 0 && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	for len(a) > 0 && len(b) > 0 && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	if len(a) == 0 && len(b) == 0 {
		return nil
	}
	if len(a)*len(b) > maxTable {
		return []change{{where: whereLine, old: strings.Join(a, ""), new: strings.Join(b, "")}}
	}
	return hunks(a, b, common(a, b))
}

// common returns the lengths of the longest common subsequences of the tails.
func common(a, b []string) [][]int32 {
	t := make([][]int32, len(a)+1)
	for i := range t {
		t[i] = make([]int32, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i] == b[j] {
				t[i][j] = t[i+1][j+1] + 1
			} else {
				t[i][j] = max(t[i+1][j], t[i][j+1])
			}
		}
	}
	return t
}

func hunks(a, b []string, t [][]int32) []change {
	var all []change
	var open *change
	for i, j := 0, 0; i < len(a) || j < len(b); {
		if i < len(a) && j < len(b) && a[i] == b[j] {
			open = nil
			i, j = i+1, j+1
			continue
		}
		if open == nil {
			all = append(all, change{where: whereLine})
			open = &all[len(all)-1]
		}
		if j == len(b) || i < len(a) && t[i+1][j] >= t[i][j+1] {
			open.old += a[i]
			i++
		} else {
			open.new += b[j]
			j++
		}
	}
	return all
}
