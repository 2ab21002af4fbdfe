// SPDX-License-Identifier: MIT
//
// A file that appears complete or not at all.
//
// The bytes go to OUT.partial, which takes the name OUT at the end; a failed run removes it. A killed one leaves it,
// and the next one writes over it; two at a time are refused. Two cases need a second, nameless file, because the front
// of a trace is written last: a name that ends in .zst (a compressed stream cannot be patched), and an OUT that is a
// device or a pipe (it cannot be renamed, and may not be able to seek).
#pragma once

#include <cstddef>
#include <string>

#include "harness/base/posix_file.hpp"

namespace slidebench {

/// What a power cut may take. `cached`: a file is whole for every process, and the system writes it to the disk when it
/// sees fit. `synced`: it is on the disk, and so is its name; some milliseconds a file, on a busy disk more.
enum class Durability { cached, synced };

class OutputFile {
 public:
  /// Opens the output. @throws UserError if it cannot be written.
  explicit OutputFile(const std::string& path);
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  /// Removes what was written, unless commit() has succeeded.
  ~OutputFile();

  /// Appends bytes. @throws UserError
  void append(const void* data, std::size_t size);

  /// Overwrites bytes at the front, which must have been appended before. @throws UserError
  void patch_front(const void* data, std::size_t size);

  /// Completes the file and gives it its name. @throws UserError
  void commit(Durability durability = Durability::cached);

 private:
  int body() const { return spool_ ? spool_.get() : target_.get(); }
  void check(int error) const;
  void deliver_spool();
  void deliver(const void* data, std::size_t size) { check(write_all(target_.get(), data, size)); }
  void deliver_compressed();

  std::string path_;     ///< as the user gave it, for messages
  std::string final_;    ///< the file to be replaced, links followed
  std::string partial_;  ///< empty for devices and pipes, and after commit()
  bool compressed_ = false;
  FileHandle target_;
  FileHandle spool_;
};

/// Opens a file for this process alone, and empties it. The lock ends with the process, however that ends; a file
/// system without locks does without. Throws CannotWrite, in the name of `output`, if another process has it.
FileHandle open_alone(const std::string& path, const std::string& output);

}  // namespace slidebench
