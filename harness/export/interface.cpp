// SPDX-License-Identifier: MIT
#include "harness/export/interface.hpp"

#include "harness/export/layout.hpp"

namespace slidebench {
namespace {

class Interface {
 public:
  explicit Interface(const Selection& selection)
      : method_(*selection.method), is_open_(selection.opened.contains(&method_)) {}

  std::vector<std::string> write(const ExportOptions& options) {
    if (!is_open_ && has("init")) add("void", "init", "", method_.name + "::init();");
    if (!is_open_ && has("Board")) pieces_.push_back("using Board = " + method_.name + "::Board;\n");
    query("Bitboard", "bishop", "");
    query("Bitboard", "rook", "");
    query("Bitboard", "queen", "bishop" + asked_ + " | rook" + asked_);
    query("BishopRook", "both", "{bishop" + asked_ + ", rook" + asked_ + "}");
    if (options.set_attacks && !stands("set_attacks")) set_attacks();
    if (options.batch && !stands("batch")) batch();
    return std::move(pieces_);
  }

 private:
  bool has(const char* name) const { return member_named(method_, name) != nullptr; }
  bool stands(const char* name) const { return is_open_ && has(name); }

  void add(const std::string& type, const char* name, const std::string& parameters, const std::string& body) {
    pieces_.push_back(laid_out("inline " + type + " " + name + "(" + parameters + ") {\n  " + body + "\n}\n"));
  }

  void query(const std::string& type, const char* name, const std::string& derived) {
    if (stands(name)) return;
    const std::string answer = has(name) ? method_.name + "::" + name + asked_ : derived;
    add(type, name, "Square s, " + parameter_, "return " + answer + ";");
  }

  void set_attacks() {
    const std::string parameters = "Bitboard diagonal_sliders, Bitboard orthogonal_sliders, " + parameter_;
    const std::string own =
        "return " + method_.name + "::set_attacks(diagonal_sliders, orthogonal_sliders, " + passed_ + ");";
    const std::string derived =
        "Bitboard attacks = 0;\n  while (diagonal_sliders != 0) attacks |= bishop(pop_lowest(diagonal_sliders), " +
        passed_ + ");\n  while (orthogonal_sliders != 0) attacks |= rook(pop_lowest(orthogonal_sliders), " + passed_ +
        ");\n  return attacks;";
    add("Bitboard", "set_attacks", parameters, has("set_attacks") ? own : derived);
    pieces_.back().insert(0, "/// The union of the attacks of many sliders; queens stand in both sets.\n");
  }

  void batch() {
    const auto one = [this](const std::string& name) { return "[&](Square s) { return " + name + asked_ + "; }"; };
    const std::string own = method_.name + "::batch(sliders, " + passed_ + ", attacks);";
    const std::string derived = "batch_by_queries(\n      sliders, attacks, " + one("bishop") + ", " + one("queen") +
                                ",\n      " + one("rook") + ");";
    add("void", "batch", "const SliderBatch& sliders, " + parameter_ + ", Bitboard* attacks",
        has("batch") ? own : derived);
    pieces_.back().insert(
        0,
        "/// The attacks of each slider, in order, into SliderBatch::room words: those behind may be overwritten.\n");
  }

  const Declaration& method_;
  const bool is_open_;
  const std::string parameter_ = has("Board") ? "const Board& board" : "Bitboard occupied";
  const std::string passed_ = has("Board") ? "board" : "occupied";
  const std::string asked_ = "(s, " + passed_ + ")";
  std::vector<std::string> pieces_;
};

}  // namespace

std::vector<std::string> interface_of(const Selection& selection, const ExportOptions& options) {
  return Interface(selection).write(options);
}

}  // namespace slidebench
