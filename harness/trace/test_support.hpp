// SPDX-License-Identifier: MIT
//
// What many tests need: files in a folder of their own, complaints, damaged JSON, nodes as texts.
#pragma once

#include <fmt/core.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "harness/base/errors.hpp"
#include "harness/trace/block.hpp"

namespace slidebench::test {

/// A folder of its own, removed at the end.
class TempFolder {
 public:
  TempFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "slidebench-test-XXXXXX").native();
    path_ = ::mkdtemp(name.data());
  }
  TempFolder(const TempFolder&) = delete;
  TempFolder& operator=(const TempFolder&) = delete;
  ~TempFolder() { std::filesystem::remove_all(path_); }

  std::string operator/(const std::string& name) const { return (path_ / name).native(); }

  /// Names of everything in the folder, sorted.
  std::vector<std::string> names() const {
    std::vector<std::string> found;
    for (const auto& entry : std::filesystem::directory_iterator(path_)) found.push_back(entry.path().filename());
    std::sort(found.begin(), found.end());
    return found;
  }

 private:
  std::filesystem::path path_;
};

inline std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

inline void write_file(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

/// The message of the UserError that `action` throws; "" if it throws none. Every message must be one line.
inline std::string complaint(const std::function<void()>& action) {
  try {
    action();
  } catch (const UserError& error) {
    std::string message = error.what();
    EXPECT_EQ(message.find('\n'), std::string::npos) << message;
    return message;
  }
  return {};
}

/// Expects a complaint that contains `part`.
inline void expect_complaint(const std::string& part, const std::function<void()>& action) {
  const std::string message = complaint(action);
  EXPECT_NE(message.find(part), std::string::npos) << "expected: " << part << "\ncomplaint: " << message;
}

/// Replaces each value of the document in turn by one that fits nowhere, and calls with its place, such as
/// checks.twin[3].low. In the end the document is what it was.
inline void for_each_damage(nlohmann::json& document, const std::function<void(const std::string& place)>& read) {
  const std::function<void(nlohmann::json&, const std::string&)> visit = [&](nlohmann::json& value,
                                                                             const std::string& place) {
    for (auto member = value.begin(); value.is_structured() && member != value.end(); ++member) {
      visit(*member, value.is_array() ? place + "[" + std::to_string(member - value.begin()) + "]"
                     : place.empty()  ? member.key()
                                      : place + "." + member.key());
    }
    const nlohmann::json whole = std::exchange(value, nlohmann::json::array({nlohmann::json::array()}));
    read(place);
    value = whole;
  };
  visit(document, "");
}

/// A node as a text, such as "make eval ff: x0 r1": event, flags, occupancy in hexadecimal, queries.
inline std::string text_of_node(Bitboard occupied, NodeTag tag, std::span<const QueryCode> queries) {
  constexpr const char* events[] = {"root", "make", "unmake", "null"};
  std::string node = events[static_cast<std::size_t>(node_event(tag))];
  if ((tag & evaluated_flag) != 0) node += " eval";
  if ((tag & probed_flag) != 0) node += " probe";
  if ((tag & continued_flag) != 0) node += " more";
  node += fmt::format(" {:x}:", occupied);
  for (const QueryCode query : queries) {
    node += fmt::format(" {}{}", "brqx"[static_cast<std::size_t>(query_kind(query))], query_square(query));
  }
  return node;
}

/// Sets an environment variable for a while.
class ScopedEnvironment {
 public:
  ScopedEnvironment(const char* name, const std::string& value) : name_(name) { ::setenv(name, value.c_str(), 1); }
  ScopedEnvironment(const ScopedEnvironment&) = delete;
  ScopedEnvironment& operator=(const ScopedEnvironment&) = delete;
  ~ScopedEnvironment() { ::unsetenv(name_); }

 private:
  const char* name_;
};

}  // namespace slidebench::test
