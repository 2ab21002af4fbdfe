// SPDX-License-Identifier: MIT
//
// One line for crashes that are not the program's own: a trace that was cut off while it was mapped, a plug-in that
// crashes while it is loaded or initialised.
#pragma once

#include <csignal>
#include <initializer_list>

namespace slidebench {

using CrashHandler = void (*)(int signal, siginfo_t* info, void* context);

/// Calls `handler`, on a stack of its own, when the program crashes.
void on_crash(CrashHandler handler);

/// Prints the line of a crash that has a known cause, or of a module that calls exit() while it is loaded, and ends
/// with status 2. Every other crash ends the program as if there was no handler.
void report_crashes();

/// Takes the handler back: for a process whose parent says what its end means.
void leave_crashes();

// What a handler may call:

/// The mapped file behind a crash that came of its being cut off; null for every other crash.
const char* cut_off_file(int signal, const siginfo_t* info);
inline constexpr const char* cut_off_text = " was cut off while it was read; build or fetch it again";

void write_parts(int fd, std::initializer_list<const char*> parts);

}  // namespace slidebench
