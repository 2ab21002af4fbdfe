// SPDX-License-Identifier: MIT
//
// Room for words between pages that may not be touched: a write beyond it is a crash, which has the method's name. On
// systems without mmap() it is plain room, beyond whose end words are compared alone.
#pragma once

#include <cstddef>
#include <new>

#include "methods/bitboard.hpp"

#if __has_include(<sys/mman.h>)
#include <sys/mman.h>
#include <unistd.h>
#endif

namespace slidebench {

template <std::size_t words>
class GuardedRoom {
 public:
  GuardedRoom(const GuardedRoom&) = delete;
  GuardedRoom& operator=(const GuardedRoom&) = delete;

#if __has_include(<sys/mman.h>)
  GuardedRoom() : page_(static_cast<std::size_t>(sysconf(_SC_PAGESIZE))) {
    pages_ = static_cast<char*>(mmap(nullptr, 3 * page_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    if (pages_ == MAP_FAILED || mprotect(pages_ + page_, page_, PROT_READ | PROT_WRITE) != 0) throw std::bad_alloc();
  }
  ~GuardedRoom() { munmap(pages_, 3 * page_); }

  /// Room that begins with the page.
  Bitboard* front() { return reinterpret_cast<Bitboard*>(pages_ + page_); }
  /// Room that ends with it.
  Bitboard* back() { return reinterpret_cast<Bitboard*>(pages_ + 2 * page_) - words; }

 private:
  std::size_t page_;
  char* pages_;
#else
  GuardedRoom() = default;

  Bitboard* front() { return room_; }
  Bitboard* back() { return room_; }

 private:
  Bitboard room_[2 * words];
#endif
};

}  // namespace slidebench
