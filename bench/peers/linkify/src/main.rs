// Counts the links in the messages of each file that is named, as often as the first argument says.
// For each file it prints the nanoseconds of processor time of the fastest pass and the number of links.
// A form feed and a newline separate messages.

use std::{env, fs};

use linkify::{LinkFinder, LinkKind};

#[repr(C)]
struct Timespec {
    seconds: i64,
    nanoseconds: i64,
}

extern "C" {
    fn clock_gettime(clock: i32, time: *mut Timespec) -> i32;
}

const CLOCK_PROCESS_CPUTIME_ID: i32 = 2; // of Linux

fn processor_time() -> i64 {
    let mut t = Timespec { seconds: 0, nanoseconds: 0 };
    unsafe { clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &mut t) };
    t.seconds * 1_000_000_000 + t.nanoseconds
}

fn main() {
    let mut args = env::args().skip(1);
    let passes: usize = args.next().and_then(|s| s.parse().ok()).expect("number of passes");
    let mut finder = LinkFinder::new();
    finder.kinds(&[LinkKind::Url, LinkKind::Email]).url_must_have_scheme(false);
    for file in args {
        let text = fs::read_to_string(&file).expect(&file);
        let messages: Vec<&str> = text.split("\x0c\n").collect();
        let mut best = i64::MAX;
        let mut links = 0;
        for _ in 0..passes {
            let begin = processor_time();
            links = messages.iter().map(|m| finder.links(m).count()).sum();
            best = best.min(processor_time() - begin);
        }
        println!("{} {}", best, links);
    }
}
