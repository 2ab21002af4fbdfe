// SPDX-License-Identifier: MIT
#include "extras/model/predict/read_profile.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <unordered_map>
#include <utility>

#include "harness/simulator/access_stream.hpp"
#include "harness/simulator/stack_distance.hpp"

namespace slidebench {
namespace {

constexpr unsigned line_shift = 6;
constexpr unsigned page_shift = 12;

void replay(const Plugin& traced, const AddressSpace& space, std::span<const Segment> segments,
            EventConsumer& consumer) {
  EventConsumer* const only = &consumer;
  AccessStream stream(traced.descriptor(), space);
  for (const Segment& segment : segments) stream.replay(segment, {&only, 1});
}

}  // namespace

/// Counts by owner in how many of its queries each address is read.
class AheadFinder : public EventConsumer {
 public:
  void consume(std::span<const MemoryEvent> events) override {
    for (const MemoryEvent& event : events) {
      if (event.kind == MemoryEvent::Kind::query) ++query_, ++asked_.at(event.owner);
      if (event.kind == MemoryEvent::Kind::access && event.owner < query_owners) {
        Reads& reads = reads_.at(event.owner)[event.address];
        if (std::exchange(reads.last_query, query_) != query_) ++reads.queries;
      }
    }
  }

  std::vector<std::vector<std::uint64_t>> ahead() const {
    std::vector<std::vector<std::uint64_t>> ahead(query_owners);
    for (std::size_t owner = 0; owner < query_owners; ++owner) {
      for (const auto& [address, reads] : reads_[owner]) {
        if (reads.queries == asked_[owner]) ahead[owner].push_back(address);
      }
      std::sort(ahead[owner].begin(), ahead[owner].end());
    }
    return ahead;
  }

 private:
  struct Reads {
    std::uint64_t queries = 0;
    std::uint64_t last_query = 0;
  };
  std::array<std::unordered_map<std::uint64_t, Reads>, query_owners> reads_;
  std::array<std::uint64_t, query_owners> asked_{};
  std::uint64_t query_ = 0;
};

/// Watches for each table whether its chain reads are a function of the value that the chain read before them returned.
class SerialFinder : public EventConsumer {
 public:
  SerialFinder(const Plugin& traced, const AddressSpace& space, const ReadPaths& paths)
      : tables_(traced.tables()), space_(space), paths_(paths), seen_(tables_.size()) {}

  void consume(std::span<const MemoryEvent> events) override {
    for (const MemoryEvent& event : events) {
      if (event.kind == MemoryEvent::Kind::query) before_.reset();
      if (event.kind != MemoryEvent::Kind::access || event.owner >= query_owners) continue;
      if (paths_.ahead(event.owner, event.address)) continue;
      watch(event);
      before_ = Value{event.region, value_at(event)};
    }
  }

  std::vector<bool> serial() const {
    std::vector<bool> serial;
    for (const Table& table : seen_) serial.push_back(table.reads != 0 && table.function && table.repeats != 0);
    return serial;
  }

 private:
  struct Value {
    std::uint16_t region;
    std::uint64_t value;
  };
  struct Table {
    std::uint64_t reads = 0;
    std::uint64_t repeats = 0;  ///< reads that could have contradicted
    bool function = true;
    std::unordered_map<std::uint64_t, std::uint64_t> address_of;  ///< by owner, region and value, hashed
  };

  void watch(const MemoryEvent& event) {
    Table& table = seen_[event.region];
    ++table.reads;
    if (!before_) table.function = false;  // the first chain read of a query waits for no other
    if (!table.function) return;
    const std::uint64_t key = mixed(mixed(before_->value) ^ (std::uint64_t{before_->region} << 16 | event.owner));
    const auto [known, is_new] = table.address_of.emplace(key, event.address);
    table.repeats += is_new ? 0 : 1;
    table.function = is_new || known->second == event.address;
  }

  /// The finaliser of SplitMix64 (Steele, Lea, Flood, OOPSLA 2014).
  static std::uint64_t mixed(std::uint64_t x) {
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EB;
    return x ^ (x >> 31);
  }

  /// The first eight bytes of what is read.
  std::uint64_t value_at(const MemoryEvent& event) const {
    const auto* const table = static_cast<const std::byte*>(tables_[event.region].address);
    std::uint64_t value = 0;
    const std::size_t offset = event.address - space_.regions()[event.region].address;
    std::memcpy(&value, table + offset, std::min<std::size_t>(event.bytes, sizeof value));
    return value;
  }

  std::vector<TableInfo> tables_;
  const AddressSpace& space_;
  const ReadPaths& paths_;
  std::vector<Table> seen_;
  std::optional<Value> before_;
};

ReadPaths::ReadPaths(const Plugin& traced, const AddressSpace& space, std::span<const Segment> segments)
    : serial_(space.regions().size()) {
  AheadFinder ahead;
  replay(traced, space, segments, ahead);
  ahead_ = ahead.ahead();
  SerialFinder serial(traced, space, *this);
  replay(traced, space, segments, serial);
  serial_ = serial.serial();
}

bool ReadPaths::ahead(std::uint32_t owner, std::uint64_t address) const {
  // What a board's update reads depends on the move, which is known long before.
  return owner >= query_owners || std::binary_search(ahead_[owner].begin(), ahead_[owner].end(), address);
}

namespace {

/// Keeps the reads of the second pass, with distances that reach back into the first.
class Profiler : public EventConsumer {
 public:
  Profiler(const AddressSpace& space, const ReadPaths& paths) : space_(space), paths_(paths) {}

  void keep_from_here() { in_query_ = false, keep_ = true; }

  void consume(std::span<const MemoryEvent> events) override {
    for (const MemoryEvent& event : events) {
      switch (event.kind) {
        case MemoryEvent::Kind::node: finish_query(), ++nodes_; break;
        case MemoryEvent::Kind::query: finish_query(), in_query_ = true; break;
        case MemoryEvent::Kind::access: read(event); break;
      }
    }
  }

  SegmentProfile take() {
    finish_query();
    return std::move(profile_);
  }

 private:
  void read(const MemoryEvent& event) {
    const bool large = space_.on_large_page(event.address);
    const std::uint64_t last = (event.address + event.bytes - 1) >> line_shift;
    const ReadPath path = paths_.ahead(event.owner, event.address) ? ReadPath::ahead
                          : paths_.serial(event.region)            ? ReadPath::serial
                                                                   : ReadPath::chain;
    for (std::uint64_t line = event.address >> line_shift; line <= last; ++line) {
      const StackDistance::Reuse of_line = lines_.access(static_cast<std::uint32_t>(line), nodes_);
      StackDistance::Reuse of_page;
      if (!large) {
        of_page = pages_.access(static_cast<std::uint32_t>(line >> (page_shift - line_shift)), nodes_);
      }
      if (!keep_) continue;
      profile_.reads.push_back({.lines = static_cast<std::uint32_t>(of_line.distance),
                                .pages = static_cast<std::uint32_t>(of_page.distance),
                                .line_node = nodes_ - static_cast<std::uint32_t>(of_line.elapsed),
                                .page_node = nodes_ - static_cast<std::uint32_t>(of_page.elapsed),
                                .path = path,
                                .large_page = large});
    }
  }

  /// What was read since the query before, an update of the board with it, belongs to this query.
  void finish_query() {
    if (in_query_ && keep_) profile_.queries.push_back({nodes_, static_cast<std::uint32_t>(profile_.reads.size())});
    in_query_ = false;
  }

  const AddressSpace& space_;
  const ReadPaths& paths_;
  StackDistance lines_, pages_;
  std::uint32_t nodes_ = 0;
  bool keep_ = false;
  bool in_query_ = false;
  SegmentProfile profile_;
};

}  // namespace

SegmentProfile profile_segment(const Plugin& traced, const AddressSpace& space, const ReadPaths& paths,
                               const Segment& segment) {
  Profiler profiler(space, paths);
  EventConsumer* const only = &profiler;
  AccessStream stream(traced.descriptor(), space);
  stream.replay(segment, {&only, 1});
  profiler.keep_from_here();
  stream.replay(segment, {&only, 1});
  return profiler.take();
}

}  // namespace slidebench
