// SPDX-License-Identifier: MIT
#include "harness/export/front_end.hpp"

#include <clang-c/Index.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <stdexcept>

#include "harness/base/errors.hpp"

namespace slidebench {
namespace {

struct Level {
  const char* name;
  std::vector<const char*> options;
};

const std::array<Level, 9>& levels() {
  static const std::array<Level, 9> all{
      {{"v1", {"--target=x86_64-linux-gnu"}},
       {"v2", {"--target=x86_64-linux-gnu", "-march=x86-64-v2"}},
       {"v3", {"--target=x86_64-linux-gnu", "-march=x86-64-v3"}},
       {"v3", {"--target=x86_64-linux-gnu", "-march=x86-64-v3", "-mgfni"}},
       {"v4", {"--target=x86_64-linux-gnu", "-march=x86-64-v4", "-mgfni", "-mavx512bitalg"}},
       {"a64", {"--target=aarch64-linux-gnu"}},
       {"sve2", {"--target=aarch64-linux-gnu", "-march=armv8.2-a+sve2"}},
       {"sve2-bitperm", {"--target=aarch64-linux-gnu", "-march=armv8.2-a+sve2-bitperm"}},
       {"simd128", {"--target=wasm32", "-msimd128"}}}};
  return all;
}

std::string to_string(CXString text) {
  const char* letters = clang_getCString(text);
  std::string copy = letters == nullptr ? "" : letters;
  clang_disposeString(text);
  return copy;
}

struct Spot {
  CXFile file = nullptr;
  unsigned line = 0;
  std::size_t offset = 0;
};

Spot spot_of(CXSourceLocation location) {
  Spot spot;
  unsigned offset = 0;
  clang_getExpansionLocation(location, &spot.file, &spot.line, nullptr, &offset);
  spot.offset = offset;
  return spot;
}

/// Calls visit(child) for each child of a cursor; what it returns says whether its children follow.
template <class Visit>
void for_each_child(CXCursor cursor, Visit visit) {
  clang_visitChildren(
      cursor,
      [](CXCursor child, CXCursor, CXClientData data) {
        return (*static_cast<Visit*>(data))(child) ? CXChildVisit_Recurse : CXChildVisit_Continue;
      },
      &visit);
}

/// The embedded sources by the paths that includes find, "/methods/method.hpp", and "/array" for <array>.
class VirtualFiles {
 public:
  VirtualFiles() {
    add("/export.cpp", "");
    add("/standard.hpp", *source_text("harness/export/standard.hpp"));
    for (const char* name :
         {"algorithm", "array", "bit", "concepts", "cstddef", "cstdint", "cstring", "type_traits", "utility"})
      add(std::string("/") + name, "#include \"standard.hpp\"\n");
    for (const std::string_view path : source_paths()) {
      if (path.starts_with("methods/")) add("/" + std::string(path), *source_text(path));
    }
    for (const char* name :
         {"bitboard", "reference", "square_records", "calculation/first_rank", "magic/occupancies"}) {
      if (const auto text = source_text("harness/export/plain/" + std::string(name) + ".hpp"))
        add("/methods/" + std::string(name) + ".hpp", *text);
    }
  }

  void set_main(const std::string& text) { texts_.at("/export.cpp") = text; }
  std::string_view text(const std::string& path) const { return texts_.at(path); }
  bool has(const std::string& path) const { return path.starts_with("/methods/") && texts_.contains(path); }

  std::vector<CXUnsavedFile> unsaved() const {
    std::vector<CXUnsavedFile> files;
    for (const auto& [path, text] : texts_) files.push_back({path.c_str(), text.c_str(), text.size()});
    return files;
  }

 private:
  void add(const std::string& path, std::string_view text) { texts_[path] = text; }

  std::map<std::string, std::string> texts_;
};

/// A parsed method. Cursors and locations live as long as it.
class Unit {
 public:
  /// What of the headers is read: to look whether a method refuses a level, vectors need not be known.
  enum class Extent { all, without_vectors };

  Unit(const MethodSource& method, const Level& level, Extent extent) {
    files_.set_main("#include \"" + std::string(method.header) + "\"\n");
    std::vector<const char*> options{"-x",
                                     "c++",
                                     "-std=c++20",
                                     "-nostdinc++",
                                     "-ffreestanding",
                                     "-I/",
                                     "-Wno-builtin-macro-redefined",
                                     "-D__has_builtin(x)=0",
                                     "-isystem",
                                     SLIDEBENCH_CLANG_HEADERS};
    options.insert(options.end(), level.options.begin(), level.options.end());
    if (extent == Extent::without_vectors)  // as if they had been included
      options.insert(options.end(), {"-D__IMMINTRIN_H", "-D__ARM_NEON_H", "-D__ARM_SVE_H", "-D__WASM_SIMD128_H"});
    std::vector<CXUnsavedFile> unsaved = files_.unsaved();
    clang_parseTranslationUnit2(index_, "/export.cpp", options.data(), static_cast<int>(options.size()), unsaved.data(),
                                static_cast<unsigned>(unsaved.size()), CXTranslationUnit_DetailedPreprocessingRecord,
                                &unit_);
    if (unit_ == nullptr) throw std::runtime_error("libclang could not read " + std::string(method.header));
  }
  Unit(const Unit&) = delete;
  Unit& operator=(const Unit&) = delete;
  ~Unit() {
    clang_disposeTranslationUnit(unit_);
    clang_disposeIndex(index_);
  }

  CXTranslationUnit get() const { return unit_; }
  CXCursor root() const { return clang_getTranslationUnitCursor(unit_); }
  const VirtualFiles& files() const { return files_; }

  /// The first error, or nothing.
  std::string error() const {
    return first_diagnostic([](CXDiagnostic d) { return clang_getDiagnosticSeverity(d) >= CXDiagnostic_Error; });
  }

  /// The first #error, or nothing.
  std::string refusal() const {
    return first_diagnostic([this](CXDiagnostic d) {
      const Spot spot = spot_of(clang_getDiagnosticLocation(d));
      const std::string path = spot.file == nullptr ? "" : to_string(clang_getFileName(spot.file));
      return files_.has(path) && files_.text(path).substr(spot.offset).starts_with("error");
    });
  }

 private:
  template <class Test>
  std::string first_diagnostic(const Test& test) const {
    for (unsigned i = 0; i < clang_getNumDiagnostics(unit_); ++i) {
      CXDiagnostic diagnostic = clang_getDiagnostic(unit_, i);
      const bool is_it = test(diagnostic);
      std::string text = to_string(clang_formatDiagnostic(diagnostic, CXDiagnostic_DisplaySourceLocation));
      clang_disposeDiagnostic(diagnostic);
      if (is_it) return text;
    }
    return "";
  }

  VirtualFiles files_;
  CXIndex index_ = clang_createIndex(0, 0);
  CXTranslationUnit unit_ = nullptr;
};

/// The #if blocks of a file: the condition at each place, and those that only hold an #error.
struct Conditions {
  struct Block {
    std::size_t begin, end;
    std::string condition;
    bool is_guard = false;
  };
  std::vector<Block> blocks;
};

Conditions conditions_of(std::string_view text) {
  Conditions found;
  std::vector<std::size_t> open;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string line(text.substr(at, end - at));
    const auto rest = [&line](std::size_t from) { return line.substr(from); };
    const auto begin_block = [&](const std::string& condition) {
      open.push_back(found.blocks.size());
      found.blocks.push_back({at, text.size(), condition});
    };
    if (line.starts_with("#if ")) begin_block(rest(4));
    if (line.starts_with("#ifdef ")) begin_block("defined(" + rest(7) + ")");
    if (line.starts_with("#ifndef ")) begin_block("!defined(" + rest(8) + ")");
    if (line.starts_with("#else") || line.starts_with("#endif")) {
      Conditions::Block& block = found.blocks[open.back()];
      block.end = end;
      const std::string condition = block.condition;
      open.pop_back();
      if (line.starts_with("#else")) begin_block("!(" + condition + ")");
    }
    if (line.starts_with("#error")) found.blocks[open.back()].is_guard = true;
    at = end + 1;
  }
  return found;
}

class Reader {
 public:
  Reader(const Unit& unit, FrontEndResult& result) : unit_(unit), result_(result) {}

  void read() {
    collect(unit_.root(), nullptr, "");
    for (const auto& [declaration, cursor] : cursors_) find_uses(*declaration, cursor);
    find_guards();
  }

 private:
  using Kind = Declaration::Kind;

  /// Our file that a cursor is declared in; empty for the standard library and what Clang brings.
  std::string file_of(CXCursor cursor) {
    const Spot spot = spot_of(clang_getCursorLocation(cursor));
    const std::string path = spot.file == nullptr ? "" : to_string(clang_getFileName(spot.file));
    return unit_.files().has(path) ? path : "";
  }

  static Kind kind_of(CXCursor cursor) {
    switch (clang_getCursorKind(cursor)) {
      case CXCursor_FunctionDecl:
      case CXCursor_CXXMethod:
      case CXCursor_FunctionTemplate: return Kind::function;
      case CXCursor_VarDecl: return Kind::variable;
      case CXCursor_StructDecl:
      case CXCursor_ClassDecl:
      case CXCursor_ClassTemplate: return Kind::record;
      default: return Kind::other;
    }
  }

  static bool is_declaration(CXCursor cursor) {
    const CXCursorKind kind = clang_getCursorKind(cursor);
    return kind_of(cursor) != Kind::other || kind == CXCursor_EnumDecl || kind == CXCursor_TypeAliasDecl ||
           kind == CXCursor_TypedefDecl || kind == CXCursor_TypeAliasTemplateDecl;
  }

  /// Variables of a template are no kind of their own; libclang shows them as unexposed declarations.
  static bool is_variable_template(CXCursor cursor) {
    return clang_getCursorKind(cursor) == CXCursor_UnexposedDecl && !to_string(clang_getCursorSpelling(cursor)).empty();
  }

  void collect(CXCursor cursor, Declaration* parent, const std::string& scope) {
    for_each_child(cursor, [&](CXCursor child) {
      if (file_of(child).empty()) return false;
      const std::string name = to_string(clang_getCursorSpelling(child));
      if (clang_getCursorKind(child) == CXCursor_Namespace) {
        collect(child, nullptr, name == "slidebench" ? "" : name);
      } else if (is_declaration(child) || is_variable_template(child)) {
        add(child, name, parent, scope);
      }
      return false;
    });
  }

  void add(CXCursor cursor, const std::string& name, Declaration* parent, const std::string& scope) {
    auto owned = std::make_unique<Declaration>();
    Declaration& declaration = *owned;
    declaration.kind = kind_of(cursor);
    declaration.name = name;
    declaration.scope = scope;
    declaration.parent = parent;
    declaration.number = cursors_.size();
    const CXCursorKind kind = clang_getCursorKind(cursor);
    declaration.is_instantiated = kind == CXCursor_CXXMethod && clang_CXXMethod_isStatic(cursor) == 0;
    declaration.is_template =
        kind == CXCursor_ClassTemplate || kind == CXCursor_FunctionTemplate || is_variable_template(cursor);
    take_text(declaration, cursor);
    (parent == nullptr ? result_.declarations : parent->members).push_back(std::move(owned));
    by_key_.emplace(key_of(cursor), &declaration);
    by_name_.emplace(name, &declaration);
    cursors_.emplace_back(&declaration, cursor);
    if (declaration.kind == Kind::record) collect(cursor, &declaration, scope);
  }

  /// The whole lines that a declaration stands in, with the comment right above.
  void take_text(Declaration& declaration, CXCursor cursor) {
    const std::string path = file_of(cursor);
    const std::string_view text = unit_.files().text(path);
    const CXSourceRange extent = clang_getCursorExtent(cursor);
    std::size_t begin = text.rfind('\n', spot_of(clang_getRangeStart(extent)).offset) + 1;
    const std::size_t end = text.find('\n', spot_of(clang_getRangeEnd(extent)).offset) + 1;
    while (begin > 0) {
      const std::size_t above = text.rfind('\n', begin - 2) + 1;
      const std::string_view line = text.substr(above, begin - above);
      const std::size_t first = line.find_first_not_of(' ');
      if (first == std::string_view::npos ||
          !(line.substr(first).starts_with("//") || line.substr(first).starts_with("template <")))
        break;
      if (above == 0) break;
      begin = above;
    }
    declaration.begin = begin;
    declaration.end = end;
    for (const Conditions::Block& block : conditions(path).blocks) {
      const bool around = block.begin < begin && end <= block.end;
      if (around && !block.is_guard) declaration.conditions.push_back(block.condition);
    }
    declaration.tokens = tokens(spot_of(clang_getRangeStart(extent)).file, text, begin, end);
    declaration.is_constant = declaration.kind == Kind::variable && has_name(declaration, "constexpr");
  }

  static bool has_name(const Declaration& declaration, std::string_view name) {
    return std::any_of(declaration.tokens.begin(), declaration.tokens.end(),
                       [name](const Token& t) { return t.text == name; });
  }

  std::vector<Token> tokens(CXFile file, std::string_view text, std::size_t begin, std::size_t end) {
    const CXSourceRange range =
        clang_getRange(clang_getLocationForOffset(unit_.get(), file, static_cast<unsigned>(begin)),
                       clang_getLocationForOffset(unit_.get(), file, static_cast<unsigned>(end)));
    CXToken* found = nullptr;
    unsigned count = 0;
    clang_tokenize(unit_.get(), range, &found, &count);
    std::vector<Token> tokens;
    std::size_t at = begin;
    for (unsigned i = 0; i < count; ++i) {
      const std::size_t place = spot_of(clang_getTokenLocation(unit_.get(), found[i])).offset;
      if (place >= end) break;
      const std::string word = to_string(clang_getTokenSpelling(unit_.get(), found[i]));
      const CXTokenKind kind = clang_getTokenKind(found[i]);
      const bool is_name = kind == CXToken_Identifier || kind == CXToken_Keyword;
      tokens.push_back({std::string(text.substr(at, place - at)), word,
                        is_name                   ? Token::Kind::name
                        : kind == CXToken_Comment ? Token::Kind::comment
                                                  : Token::Kind::other,
                        place});
      at = place + word.size();
    }
    clang_disposeTokens(unit_.get(), found, count);
    tokens.push_back({std::string(text.substr(at, end - at)), "", Token::Kind::other, at});
    return tokens;
  }

  const Conditions& conditions(const std::string& path) {
    auto found = conditions_.find(path);
    if (found == conditions_.end()) found = conditions_.emplace(path, conditions_of(unit_.files().text(path))).first;
    return found->second;
  }

  /// One for all cursors of a declaration. Functions of sizeless vectors have no USR: their place stands for it.
  std::string key_of(CXCursor cursor) const {
    std::string usr = to_string(clang_getCursorUSR(cursor));
    if (!usr.empty()) return usr;
    const Spot spot = spot_of(clang_getCursorLocation(cursor));
    return (spot.file == nullptr ? "" : to_string(clang_getFileName(spot.file))) + "@" + std::to_string(spot.offset);
  }

  /// What a reference leads to: a declaration of ours, or the one that it is a part of. Members of what a template has
  /// become are found by name in the template.
  Declaration* resolved(CXCursor cursor) const {
    const std::string name = to_string(clang_getCursorSpelling(cursor));
    while (clang_Cursor_isNull(cursor) == 0 && clang_isInvalid(clang_getCursorKind(cursor)) == 0 &&
           clang_getCursorKind(cursor) != CXCursor_TranslationUnit) {
      const CXCursor general = clang_getSpecializedCursorTemplate(cursor);
      if (clang_Cursor_isNull(general) == 0) cursor = general;
      const auto found = by_key_.find(key_of(cursor));
      if (found != by_key_.end()) {
        for (const auto& member : found->second->members) {
          if (found->second->is_template && member->name == name) return member.get();
        }
        return found->second;
      }
      cursor = clang_getCursorSemanticParent(cursor);
    }
    return nullptr;
  }

  bool in_member(const Declaration& declaration, std::size_t place) const {
    return std::any_of(declaration.members.begin(), declaration.members.end(),
                       [place](const auto& member) { return member->begin <= place && place < member->end; });
  }

  static void use(Declaration& declaration, Declaration* used) {
    if (used == nullptr || used == &declaration) return;
    if (std::find(declaration.uses.begin(), declaration.uses.end(), used) == declaration.uses.end())
      declaration.uses.push_back(used);
  }

  /// References that Clang has resolved; the names that it leaves open, in templates and in code for other compilers,
  /// count as references to all of that name.
  void find_uses(Declaration& declaration, CXCursor cursor) {
    std::set<std::size_t> known{spot_of(clang_getCursorLocation(cursor)).offset};
    std::set<std::string> own;  // which Clang leaves open too, in the arguments of macros
    for_each_child(cursor, [&](CXCursor child) {
      const std::size_t place = spot_of(clang_getCursorLocation(child)).offset;
      if (in_member(declaration, place)) return false;
      const CXCursor referenced = clang_getCursorReferenced(child);
      const CXCursorKind kind = clang_getCursorKind(child);
      if (clang_Cursor_isNull(referenced) == 0 && kind != CXCursor_OverloadedDeclRef) {
        known.insert(place);
        take(declaration, referenced);
      }
      for (unsigned i = 0; kind == CXCursor_OverloadedDeclRef && i < clang_getNumOverloadedDecls(child); ++i) {
        known.insert(place);
        take(declaration, clang_getOverloadedDecl(child, i));
      }
      if (clang_isDeclaration(kind) != 0) known.insert(place);
      if (kind == CXCursor_VarDecl || kind == CXCursor_ParmDecl) own.insert(to_string(clang_getCursorSpelling(child)));
      const bool has_object =
          kind == CXCursor_FieldDecl || kind == CXCursor_Constructor || kind == CXCursor_ConversionFunction;
      declaration.is_instantiated = declaration.is_instantiated || has_object;
      declaration.has_vector_operators = declaration.has_vector_operators || is_vector_operator(child);
      if (kind == CXCursor_CXXBaseSpecifier) take_base(declaration, child);
      return true;
    });
    for (const Token& token : declaration.tokens) {
      const bool is_open = token.kind == Token::Kind::name && !known.contains(token.place) && !own.contains(token.text);
      if (!is_open || in_member(declaration, token.place)) continue;
      const auto [first, last] = by_name_.equal_range(token.text);
      for (auto found = first; found != last; ++found) {
        if (found->second != declaration.parent) use(declaration, found->second);
      }
    }
    std::sort(declaration.uses.begin(), declaration.uses.end(),
              [](const Declaration* a, const Declaration* b) { return a->number < b->number; });
  }

  static bool is_vector(CXCursor expression) {
    const CXTypeKind kind = clang_getCanonicalType(clang_getCursorType(expression)).kind;
    return kind == CXType_Vector || kind == CXType_ExtVector;
  }

  /// Whether an operator computes with vectors; assigning one and taking its address are no computation.
  bool is_vector_operator(CXCursor cursor) {
    const CXCursorKind kind = clang_getCursorKind(cursor);
    if (kind == CXCursor_CompoundAssignOperator || kind == CXCursor_UnaryOperator) return is_vector(cursor);
    if (kind != CXCursor_BinaryOperator) return false;
    std::vector<CXCursor> operands;
    for_each_child(cursor, [&operands](CXCursor operand) {
      operands.push_back(operand);
      return false;
    });
    const bool has_vector = std::any_of(operands.begin(), operands.end(), is_vector);
    return has_vector && operands.size() == 2 && sign_between(operands[0], operands[1]) != "=";
  }

  std::string sign_between(CXCursor left, CXCursor right) {
    const std::size_t begin = spot_of(clang_getRangeEnd(clang_getCursorExtent(left))).offset;
    const std::size_t end = spot_of(clang_getRangeStart(clang_getCursorExtent(right))).offset;
    std::string sign(unit_.files().text(file_of(left)).substr(begin, end > begin ? end - begin : 0));
    std::erase(sign, ' ');
    return sign;
  }

  void take(Declaration& declaration, CXCursor referenced) const {
    use(declaration, resolved(referenced));
    const std::string header = vector_header(referenced);
    if (!header.empty()) declaration.vector_headers.insert(header);
  }

  void take_base(Declaration& declaration, CXCursor specifier) {
    const CXCursor type = clang_getTypeDeclaration(clang_getCursorType(specifier));
    Declaration* base = resolved(type);
    if (base == nullptr) return;
    declaration.bases.push_back(base);
    declaration.has_template_base = declaration.has_template_base || base->is_template;
  }

  /// The header of vectors that declares what is referred to; empty for all else.
  static std::string vector_header(CXCursor referenced) {
    const CXSourceLocation location = clang_getCursorLocation(referenced);
    const Spot spot = spot_of(location);
    const std::string path = spot.file == nullptr ? "/" : to_string(clang_getFileName(spot.file));
    const std::string name = path.substr(path.rfind('/') + 1);
    if (!name.ends_with(".h") || name.starts_with("std")) return "";
    return name.starts_with("arm_") || name.starts_with("wasm_") ? name : "immintrin.h";
  }

  void find_guards() {
    for (const auto& [path, found] : conditions_) {
      const std::string_view text = unit_.files().text(path);
      for (const Conditions::Block& block : found.blocks) {
        if (block.is_guard) result_.guards.emplace_back(text.substr(block.begin, block.end - block.begin));
      }
    }
  }

  const Unit& unit_;
  FrontEndResult& result_;
  std::map<std::string, Declaration*> by_key_;
  std::multimap<std::string, Declaration*> by_name_;
  std::vector<std::pair<Declaration*, CXCursor>> cursors_;
  std::map<std::string, Conditions> conditions_;
};

}  // namespace

const std::vector<std::string>& front_end_levels() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> list;
    for (const Level& level : levels()) list.emplace_back(level.name);
    return list;
  }();
  return names;
}

FrontEndResult read_method(const MethodSource& method, const std::string& wanted) {
  std::string error;
  for (const Level& level : levels()) {
    if (!wanted.empty() && wanted != level.name) continue;
    error = Unit(method, level, Unit::Extent::without_vectors).refusal();
    if (!error.empty()) continue;
    const Unit unit(method, level, Unit::Extent::all);
    error = unit.error();
    if (!error.empty()) continue;
    FrontEndResult result;
    result.level = level.name;
    Reader(unit, result).read();
    return result;
  }
  throw UserError("method " + std::string(method.id) + " cannot be exported" +
                  (wanted.empty() ? "" : " for level " + wanted) + ": " + error.substr(error.find("error: ") + 7));
}

}  // namespace slidebench
