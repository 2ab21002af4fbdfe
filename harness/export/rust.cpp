// SPDX-License-Identifier: MIT
#include "harness/export/rust.hpp"

#include <algorithm>
#include <iterator>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string_view>

#include "harness/base/errors.hpp"
#include "harness/export/sources.hpp"

namespace slidebench {
namespace {

constexpr std::string_view folder = "harness/export/rust/";
constexpr std::string_view licence_line = "// SPDX-License-Identifier: MIT\n";

std::optional<std::string_view> rust_text(std::string_view id) {
  return source_text(std::string(folder) + std::string(id) + ".rs");
}

std::string_view text_of(const std::string& path) {
  const std::optional<std::string_view> text = source_text(path);
  if (!text) throw std::logic_error("no such source: " + path);
  return *text;
}

/// What stands between `start` and `end`.
std::string_view between(std::string_view text, std::string_view start, std::string_view end) {
  const std::size_t at = text.find(start);
  if (at == std::string_view::npos) throw std::logic_error("no " + std::string(start) + " in a source");
  const std::size_t first = at + start.size();
  return text.substr(first, text.find(end, first) - first);
}

void replace_all(std::string& text, std::string_view what, std::string_view with) {
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + with.size())) {
    text.replace(at, what.size(), with);
  }
}

/// The elements of an array of a header of factors: words, or pairs of a word and a first slot.
std::string elements_in_rust(std::string_view header, std::string_view array) {
  std::string elements(between(header, std::string(array) + "[64] = {\n", "};"));
  replace_all(elements, "{", "(");
  replace_all(elements, "}", ")");
  return elements;
}

/// The factors of a C++ header: FACTORS, of rooks and of bishops, and the table's SLOTS if they come with first slots.
std::string factors_in_rust(const std::string& path) {
  const std::string_view header = text_of(path);
  const bool has_slots = header.find("_slots = ") != std::string_view::npos;
  std::string text = "\n/// Of the rook, then of the bishop; ";
  text += has_slots ? "with where in SETS the square's array begins.\n" : "for as many bits as squares are relevant.\n";
  text += "#[rustfmt::skip]\nconst FACTORS: [[" + std::string(has_slots ? "(u64, usize)" : "u64") + "; 64]; 2] = [[\n" +
          elements_in_rust(header, "rook_factors") + "], [\n" + elements_in_rust(header, "bishop_factors") + "]];\n";
  if (has_slots) text += "const SLOTS: usize = " + std::string(between(header, "_slots = ", ";")) + ";\n";
  return text;
}

/// A text with the parts that it asks for by a line `include!("PATH");` in place of that line.
std::string with_parts(std::string_view text) {
  if (!text.starts_with(licence_line)) throw std::logic_error("a source without its licence");
  std::istringstream lines{std::string(text.substr(licence_line.size()))};
  std::string whole;
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("include!(")) {
      whole += line + "\n";
      continue;
    }
    const std::string path(between(line, "(\"", "\")"));
    whole += path.ends_with(".hpp") ? factors_in_rust(path) : with_parts(text_of(std::string(folder) + path));
  }
  return whole;
}

/// The idea in short: the first paragraph of what the method's header teaches, and its drawings.
std::string idea_of(std::string_view header) {
  std::string_view rest = between(header, std::string(licence_line) + "//\n", "#pragma once");
  std::string idea;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find("//\n"), rest.size());
    if (idea.empty() || rest.starts_with("//      ")) idea += std::string(rest.substr(0, end)) + "//\n";
    rest.remove_prefix(std::min(end + 3, rest.size()));
  }
  return idea;
}

/// Blank lines stand alone.
std::string with_single_blanks(std::string text) {
  while (text.find("\n\n\n") != std::string::npos) replace_all(text, "\n\n\n", "\n\n");
  return text;
}

/// How to use the module.
std::string use_of(const std::string& title, const std::string& module, const std::string& code) {
  const auto has = [&code](const char* what) { return code.find(what) != std::string::npos; };
  std::string text = "//! Attacks of sliding pieces: " + title + ".\n//!\n//! Save this file as `" + module +
                     ".rs`, and declare it by `mod " + module + ";`.";
  if (has("pub fn init()")) text += " Call `" + module + "::init()` once, at the start.";
  text += "\n//! Then ask `" + module + "::rook(square, occupied)`; also `bishop`, `queen`";
  text += has("pub fn set_attacks(") ? ", `both` and `set_attacks`.\n" : " and `both`.\n";
  return text + "//! Bit s of a set is square s: a1 is 0, b1 is 1, and so on to h8, 63. Squares count modulo 64.\n";
}

constexpr const char* keywords[] = {
    "abstract", "as",   "async",  "await",  "become",  "box",    "break",   "const", "continue", "crate",
    "do",       "dyn",  "else",   "enum",   "extern",  "false",  "final",   "fn",    "for",      "if",
    "impl",     "in",   "let",    "loop",   "macro",   "match",  "mod",     "move",  "mut",      "override",
    "priv",     "pub",  "ref",    "return", "self",    "static", "struct",  "super", "trait",    "true",
    "try",      "type", "typeof", "unsafe", "unsized", "use",    "virtual", "where", "while",    "yield"};

/// Modules are named in lower case, or the compiler warns.
void check_module(const std::string& name) {
  const auto is_inner = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_'; };
  const bool good =
      !name.empty() && name[0] >= 'a' && name[0] <= 'z' && std::all_of(name.begin(), name.end(), is_inner);
  if (!good || std::find(std::begin(keywords), std::end(keywords), name) != std::end(keywords)) {
    throw UserError("--namespace '" + name +
                    "' is no name of a module in Rust; write lower-case letters, digits and _");
  }
}

const MethodSource& source_of(const std::string& id) {
  for (const MethodSource& method : method_sources()) {
    if (method.id == id && rust_text(id)) return method;
  }
  std::string list;
  for (const std::string& offered : rust_methods()) list += (list.empty() ? "" : ", ") + offered;
  throw UserError("method " + id + " is not to be had in Rust, take --language c++17; Rust has " + list);
}

}  // namespace

std::vector<std::string> rust_methods() {
  std::vector<std::string> ids;
  for (const MethodSource& method : method_sources()) {
    if (rust_text(method.id)) ids.emplace_back(method.id);
  }
  return ids;
}

std::string export_rust(const std::string& method, const std::string& module) {
  check_module(module);
  const MethodSource& source = source_of(method);
  const std::string_view header = text_of(std::string(source.header));
  const std::string code = with_parts(*rust_text(method));
  const auto info = [header](const char* key) {
    return std::string(between(header, "." + std::string(key) + " = \"", "\""));
  };
  std::string text(licence_line);
  text += "// Copyright (c) 2026 The slidebench authors\n//\n" + idea_of(header) + "// Inventor: " + info("inventor") +
          ", " + std::string(between(header, ".year = ", ",")) + ".\n// Source: " + info("reference") +
          "\n// Written by `slidebench export " + method +
          " --language rust`.\n// The whole idea: " + std::string(source.header) + "\n\n" +
          use_of(info("title"), module, code) + "\n" + code;
  return with_single_blanks(std::move(text));
}

}  // namespace slidebench
