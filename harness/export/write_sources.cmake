# Writes sources.cpp: files as string literals, and the list of methods.
# cmake -DROOT=... -DFILES=a,b -DMETHODS=id:header:Type,... -DOUT=sources.cpp -P write_sources.cmake
string(REPLACE "," ";" FILES "${FILES}")
string(REPLACE "," ";" METHODS "${METHODS}")

set(code "// Generated from the source tree.\n#include \"harness/export/sources.hpp\"\n\n#include <algorithm>\n#include <array>\n\n")
# With the suffix a text's length is the compiler's; Clang would count its letters one by one, and give up.
string(APPEND code "using std::string_view_literals::operator\"\"sv;\n\nnamespace slidebench {\nnamespace {\n\nstruct File {\n  std::string_view path;\n  std::string_view text;\n};\n\n")
string(APPEND code "constexpr File files[] = {\n")
foreach(path IN LISTS FILES)
  file(READ "${ROOT}/${path}" text)
  string(APPEND code "{\"${path}\", R\"~~~(${text})~~~\"sv},\n")
endforeach()
string(APPEND code "};\n\nconstexpr MethodSource methods[] = {\n")
foreach(method IN LISTS METHODS)
  string(REGEX REPLACE "^(.*):(.*):(.*)$" "{\"\\1\", \"\\2\", \"\\3\"},\n" entry "${method}")
  string(APPEND code "${entry}")
endforeach()
string(APPEND code "};\n\n}  // namespace\n\nstd::span<const MethodSource> method_sources() { return methods; }\n\n")
string(APPEND code "std::vector<std::string_view> source_paths() {\n  std::vector<std::string_view> paths;\n  for (const File& file : files) paths.push_back(file.path);\n  return paths;\n}\n\n")
string(APPEND code "std::optional<std::string_view> source_text(std::string_view path) {\n")
string(APPEND code "  const auto* found = std::find_if(std::begin(files), std::end(files), [path](const File& f) { return f.path == path; });\n")
string(APPEND code "  if (found == std::end(files)) return std::nullopt;\n  return found->text;\n}\n\n}  // namespace slidebench\n")
file(WRITE "${OUT}" "${code}")
