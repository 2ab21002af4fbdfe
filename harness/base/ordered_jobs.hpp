// SPDX-License-Identifier: MIT
//
// Independent pieces of work on several threads, and their results in order.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <future>
#include <thread>
#include <type_traits>
#include <vector>

namespace slidebench {

/// The processors that this process may hope for, at least 1.
inline unsigned all_processors() { return std::max(1u, std::thread::hardware_concurrency()); }

/// Calls produce(0) to produce(count - 1) on up to `jobs` threads, and on this one consume(i, result) for each, in
/// order. The first exception in that order is thrown on, when the threads have ended; what was not begun is left out.
template <class Produce, class Consume>
void in_order(std::size_t count, unsigned jobs, Produce produce, Consume consume) {
  using Result = std::invoke_result_t<Produce, std::size_t>;
  std::vector<std::packaged_task<Result()>> tasks;
  std::vector<std::future<Result>> results;
  for (std::size_t i = 0; i < count; ++i) {
    tasks.emplace_back([&produce, i] { return produce(i); });
    results.push_back(tasks.back().get_future());
  }
  std::atomic<std::size_t> next = 0;
  std::vector<std::jthread> threads;
  struct LeaveTheRest {
    std::atomic<std::size_t>& next;
    std::size_t count;
    ~LeaveTheRest() { next = count; }
  } const at_the_end{next, count};
  while (threads.size() < std::min<std::size_t>(jobs, count)) {
    threads.emplace_back([&] {
      for (std::size_t i = next++; i < count; i = next++) tasks[i]();
    });
  }
  for (std::size_t i = 0; i < count; ++i) consume(i, results[i].get());
}

}  // namespace slidebench
