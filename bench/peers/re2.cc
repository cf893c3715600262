// Counts the matches of the regular expression in the first file with RE2, in the messages of each
// further file, as often as the second argument says. For each file it prints the nanoseconds of
// processor time of the fastest pass and the number of matches. A form feed and a newline separate
// messages.

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <re2/re2.h>

static std::string read(const char* name) {
  std::ifstream in(name, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

static int64_t processor_time() {
  timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return t.tv_sec * int64_t{1000000000} + t.tv_nsec;
}

static int count(const re2::RE2& expression, re2::StringPiece text) {
  int n = 0;
  re2::StringPiece match;
  for (size_t at = 0; at <= text.size() && expression.Match(text, at, text.size(), re2::RE2::UNANCHORED, &match, 1); n++) {
    at = std::max<size_t>(match.end() - text.begin(), at + 1);
  }
  return n;
}

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  int passes = std::atoi(argv[2]);
  re2::RE2::Options options;
  options.set_max_mem(int64_t{1} << 30);
  options.set_longest_match(true);
  re2::RE2 expression(read(argv[1]), options);
  if (!expression.ok()) {
    std::fprintf(stderr, "%s\n", expression.error().c_str());
    return 1;
  }
  for (int i = 3; i < argc; i++) {
    std::string text = read(argv[i]);
    std::vector<re2::StringPiece> messages;
    for (size_t at = 0;;) {
      size_t end = text.find("\f\n", at);
      messages.emplace_back(text.data() + at, std::min(end, text.size()) - at);
      if (end == std::string::npos) break;
      at = end + 2;
    }
    int64_t best = INT64_MAX;
    int links = 0;
    for (int pass = 0; pass < passes; pass++) {
      int64_t begin = processor_time();
      links = 0;
      for (auto m : messages) links += count(expression, m);
      best = std::min(best, processor_time() - begin);
    }
    std::printf("%lld %d\n", static_cast<long long>(best), links);
  }
}
