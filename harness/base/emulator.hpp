// SPDX-License-Identifier: MIT
//
// Whether this process runs under an emulator of a processor: its times would be the emulator's.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace slidebench {

/// The program that executes this one, by its file name: "qemu-aarch64", or Valgrind's "callgrind-amd64-linux". Absent
/// where the kernel runs this program itself, and where there is no /proc.
///
/// The kernel has started the emulator, and the emulator answers for /proc/self/exe, among others, with the program
/// that it emulates. /proc/thread-self/exe is the same link by another name, which qemu-user and Valgrind leave alone.
std::optional<std::string> emulator();

/// The words before a program's path that start it as this one was started: empty without an emulator, else
/// "/usr/bin/qemu-aarch64 -cpu max". The kernel cannot execute a program of another architecture.
std::vector<std::string> emulator_command();

/// This program's own file.
std::string own_file();

/// What starts slidebench, this program or the one beside it that starts this extra's, from the current folder: its
/// name where PATH leads to it, else its path, which is relative where it lies below that folder.
std::string typed_program();

}  // namespace slidebench
