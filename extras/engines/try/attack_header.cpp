// SPDX-License-Identifier: MIT
#include "extras/engines/try/attack_header.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <set>
#include <string_view>

#include "harness/base/emulator.hpp"
#include "harness/base/errors.hpp"
#include "harness/base/text_output.hpp"

namespace slidebench {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view mark = "slidebench_attacks.h holds ";

std::string content_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return "";
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

/// A file of the project: beside an installed program, else where it was built from.
std::string project_file(const std::string& installed, const std::string& source) {
  const fs::path prefix = fs::path(own_file()).parent_path().parent_path();
  for (const fs::path& path : {prefix / installed, fs::path(SLIDEBENCH_SOURCE) / source}) {
    std::string text = content_of(path);
    if (!text.empty()) return text;
  }
  throw UserError((prefix / installed).string() + " is missing; install slidebench again");
}

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
}

/// What every variant ends with. `used` keeps the text in each object file, and the call in the program.
std::string with_mark(const std::string& method, const std::string& text) {
  return "// " + method + ", written by slidebench try, which writes it again: do not edit.\n#pragma once\n\n" + text +
         "\nstatic const char slidebench_attacks_mark[] __attribute__((used)) = \"" + std::string(mark) + method +
         ".\";\nstatic inline void slidebench_attacks_init(void) {\n"
         "  __asm__ volatile(\"\" : : \"r\"(slidebench_attacks_mark));\n  sliding_init();\n}\n"
         "#define sliding_init() slidebench_attacks_init()\n";
}

constexpr const char* both =
    "#define sliding_both(s, occupied, bishop, rook) \\\n"
    "  (*(bishop) = sliding_bishop(s, occupied), *(rook) = sliding_rook(s, occupied))\n";

constexpr const char* no_moves =
    "#define sliding_make(occupied) ((void)0)\n#define sliding_unmake(occupied) ((void)0)\n";

constexpr const char* own_queries =
    "#define sliding_bishop(s, occupied) SLIDING_OWN_BISHOP(s, occupied)\n"
    "#define sliding_rook(s, occupied) SLIDING_OWN_ROOK(s, occupied)\n"
    "#define sliding_queen(s, occupied) (SLIDING_OWN_BISHOP(s, occupied) | SLIDING_OWN_ROOK(s, occupied))\n"
    "static inline void sliding_init(void) {}\n";

constexpr const char* recorded_queries = R"(
#include <signal.h>
#include <stdlib.h>
#ifdef __cplusplus
extern "C" {
#endif
extern volatile sig_atomic_t slidebench_records;
void slidebench_write(const char* form, int s, uint64_t occupied);
void sliding_init(void);
/* With -std=c11 glibc takes another function for signal(), after which the engine's waiting for a line would end. */
void (*slidebench_signal(int number, void (*handler)(int)))(int) __asm__("signal");
#ifdef __cplusplus
}
#endif

static inline int slidebench_note(const char* form, int s, uint64_t occupied) {
  if (slidebench_records) slidebench_write(form, s, occupied);
  return s;
}

#define sliding_bishop(s, occupied) SLIDING_OWN_BISHOP((slidebench_note("b @ #", (int)(s), occupied), (s)), occupied)
#define sliding_rook(s, occupied) SLIDING_OWN_ROOK((slidebench_note("r @ #", (int)(s), occupied), (s)), occupied)
#define sliding_queen(s, occupied) \
  (slidebench_note("q @ #", (int)(s), occupied), SLIDING_OWN_BISHOP(s, occupied) | SLIDING_OWN_ROOK(s, occupied))
#define sliding_make(occupied) ((void)slidebench_note("make #", 0, occupied))
#define sliding_unmake(occupied) ((void)slidebench_note("unmake #", 0, occupied))

#ifdef SLIDING_IMPLEMENTATION
volatile sig_atomic_t slidebench_records;
static void slidebench_start(int ignored) { slidebench_records = ignored != 0; }
void slidebench_write(const char* form, int s, uint64_t occupied) {
  static __thread int has_begun;
  if (!has_begun) {
    const char* path = getenv("SLIDEBENCH_QUERIES");
    has_begun = 1;
    if (path) sb_record_open(path);
    sb_record_root(occupied);
  }
  sb_write_line(form, s, 0, occupied);
}
void sliding_init(void) { slidebench_signal(SIGUSR1, slidebench_start); }
#endif
)";

}  // namespace

std::vector<std::string> header_methods() {
  return {"pext",           "magic_black",          "pext_pdep",      "magic_fancy", "ray_masks_avx512",
          "hyperbola_gfni", "ray_masks_avx2",       "hyperbola_avx2", "hyperbola",   "obstruction_difference",
          "magic_plain",    "hyperbola_bitreverse", "kogge_stone"};
}

std::string attack_header(const std::string& method) {
  if (method == own_attacks)
    return with_mark(method, std::string("#include <stdint.h>\n\n") + own_queries + both + no_moves);
  std::string text = project_file("share/slidebench/headers/" + method + ".h", "headers/" + method + ".h");
  // Without NDEBUG an engine would pay for checks in the method alone.
  replace_all(text, "assert(", "(void)sizeof(");
  if (text.find("void sliding_both(") == std::string::npos) text += both;
  return with_mark(method, text + no_moves);
}

std::string recording_header() {
  std::string recorder = project_file("include/slidebench_record.h", "extras/engines/record/slidebench_record.h");
  return with_mark("record",
                   "#define SLIDEBENCH_RECORD 1\n#ifdef SLIDING_IMPLEMENTATION\n"
                   "#define SLIDEBENCH_RECORD_IMPLEMENTATION\n#endif\n" +
                       recorder + recorded_queries + both);
}

std::vector<std::string> attacks_in(const fs::path& program) {
  const std::string content = content_of(program);
  std::set<std::string> found;
  for (std::size_t at = content.find(mark); at != std::string::npos; at = content.find(mark, at + 1)) {
    const std::size_t begin = at + mark.size(), end = content.find('.', begin);
    if (end != std::string::npos && end - begin < 40) found.insert(content.substr(begin, end - begin));
  }
  return {found.begin(), found.end()};
}

}  // namespace slidebench
