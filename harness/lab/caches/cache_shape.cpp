// SPDX-License-Identifier: MIT
#include "harness/lab/caches/cache_shape.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <map>

namespace slidebench {
namespace {

constexpr std::uint32_t most_ways = 32;
constexpr Place largest_way = 64u << 10;     // of any first level of 2026
constexpr std::uint32_t smallest_line = 16;  // tried: a line of the first level
constexpr unsigned visits_a_period = 8;
constexpr unsigned sets_tried = 3;
constexpr unsigned attempts = 12;  // to find a set of the second level
/// A chase is said to miss if a read takes this much longer than one that hits: of one line too many, a tenth to all
/// miss, and a miss takes at least three times as long as a hit.
constexpr double missing = 1.2;

Places spaced(Place first, Place stride, std::uint32_t count) {
  Places places;
  for (std::uint32_t i = 0; i < count; ++i) places.push_back(first + i * stride);
  return places;
}

/// Looks for the first level.
class FirstLevelSearch {
 public:
  FirstLevelSearch(TimedMemory& memory, std::mt19937_64& random) : memory_(memory), random_(random) {}

  std::optional<FirstLevel> find() {
    FirstLevel found;
    found.hit_ns = hit_ns_ = quickest([](Place first) { return spaced(first, largest_way, 1); });
    const auto [ways, way] = agreed_ways();
    if (ways == 0) return std::nullopt;
    const std::uint32_t line = line_bytes(ways, way);
    if (line == 0) return std::nullopt;
    found.shape = {line, ways, way / line};
    found.miss_ns = miss_ns(ways, way);
    return found;
  }

 private:
  /// ns a read of the quickest of some sets: what else the program keeps in one of them makes it slower.
  template <class PlacesFrom>
  double quickest(PlacesFrom places_from) {
    double ns = std::numeric_limits<double>::infinity();
    for (unsigned set = 0; set < sets_tried; ++set) {
      const Place first = static_cast<Place>(draw(random_, largest_way / 2 / 64)) * 64;
      ns = std::min(ns, memory_.ns_a_read(shuffled_period(places_from(first), random_)));
    }
    return ns;
  }

  bool conflict(std::uint32_t lines, Place stride) {
    return quickest([&](Place first) { return spaced(first, stride, lines); }) > missing * hit_ns_;
  }

  /// How many lines so far apart do not conflict; 0 if none do.
  std::uint32_t count_ways(Place stride) {
    for (std::uint32_t lines = 2; lines <= most_ways + 1; ++lines) {
      if (conflict(lines, stride) && conflict(lines + 1, stride)) return lines - 1;
    }
    return 0;
  }

  /// The ways that most strides find, and the smallest of these strides, the bytes of a way. Below it more lines fit;
  /// far above it fewer may, because their pages share a set of the TLB (of 4 KiB pages in a virtual machine, whatever
  /// it was given).
  std::pair<std::uint32_t, Place> agreed_ways() {
    std::map<std::uint32_t, std::pair<unsigned, Place>> found;  // strides that find it, and the smallest of them
    for (Place stride = largest_way; stride > smallest_line; stride /= 2) {
      const std::uint32_t ways = count_ways(stride);
      if (ways == 0) break;
      found[ways] = {found[ways].first + 1, stride};
    }
    const auto agreed = std::ranges::max_element(found, {}, [](const auto& entry) { return entry.second.first; });
    return agreed == found.end() ? std::pair(0u, Place{0}) : std::pair(agreed->first, agreed->second.second);
  }

  /// 0 if there is none.
  std::uint32_t line_bytes(std::uint32_t ways, Place way) {
    for (std::uint32_t shift = smallest_line; shift < way; shift *= 2) {
      const double ns = quickest([&](Place first) {
        Places places = spaced(first / way * way, way, ways + 1);
        for (std::size_t i = 1; i < places.size(); i += 2) places[i] += shift;
        return places;
      });
      if (ns <= missing * hit_ns_) return shift;
    }
    return 0;
  }

  /// Of so many lines of one set that every visit misses, whatever is replaced.
  double miss_ns(std::uint32_t ways, Place way) {
    double ns = std::numeric_limits<double>::infinity();
    for (unsigned set = 0; set < sets_tried; ++set) {
      Places places = spaced(static_cast<Place>(draw(random_, way / 64)) * 64, way, 6 * ways);
      shuffle(places, random_);
      ns = std::min(ns, memory_.ns_a_read(places));
    }
    return ns;
  }

  TimedMemory& memory_;
  std::mt19937_64& random_;
  double hit_ns_ = 0;
};

/// Looks for the second level, from one line of it, the probe.
class SecondLevelSearch {
 public:
  SecondLevelSearch(TimedMemory& memory, const FirstLevel& first, std::mt19937_64& random)
      : memory_(memory), first_(first), way_bytes_(first.shape.line_bytes * first.shape.sets), random_(random) {
    const Place offset = static_cast<Place>(draw(random, first.shape.sets)) * first.shape.line_bytes;
    for (Place place = offset; place < memory.bytes(); place += way_bytes_) pool_.push_back(place);
    shuffle(pool_, random_);
    probe_ = pool_.back();
    pool_.pop_back();
    drivers_.assign(pool_.end() - 2 * static_cast<std::ptrdiff_t>(first.shape.ways), pool_.end());
    pool_.resize(pool_.size() - drivers_.size());
  }

  std::optional<SecondLevelSet> find() {
    calibrate();
    if (!enough_evictors() || !reduce()) return std::nullopt;
    SecondLevelSet found;
    found.spread = classify_pool(found);
    // Until now some of the drivers may have been of the set, and counted as ways.
    drivers_ = first_of(found.fillers, std::size_t{2} * first_.shape.ways);
    if (!agree_on_ways(found.lines)) return std::nullopt;
    found.shape.ways = static_cast<std::uint32_t>(evictors_.size());
    found.shape.line_bytes = line_bytes();
    const double share = share_of_all(found.spread);
    found.shape.sets = std::bit_floor(static_cast<std::uint32_t>(std::lround(std::sqrt(2.0) / share)));
    return found;
  }

 private:
  static constexpr std::size_t portion = 16;  ///< lines that are tested at once
  static constexpr double good_part = 0.3;
  static constexpr std::size_t filling = 4096;  ///< lines of one set of the first level that surely drive out the probe

  /// A read may miss now and then, or miss a TLB: the probe counts as driven out if its mean is a good part of the way
  /// from a read of the second level to one beyond it, after so many lines that they fill every set it can be in.
  void calibrate() {
    const auto median_after = [this](Places others) {
      others.insert(others.end(), drivers_.begin(), drivers_.end());
      std::vector<double> ns;
      for (unsigned i = 0; i < 9; ++i) ns.push_back(memory_.ns_after(probe_, others));
      return median(ns);
    };
    const double near_ns = median_after({});
    const double far_ns = median_after(first_of(pool_, filling));
    threshold_ns_ = near_ns + std::max(first_.miss_ns, good_part * (far_ns - near_ns));
  }

  /// Whether the probe is driven out of the second level, twice: what else happens can make a hit look like a miss.
  bool evicts(Places lines) {
    lines.insert(lines.end(), drivers_.begin(), drivers_.end());
    const auto is_slow = [&] { return memory_.ns_after(probe_, lines) > threshold_ns_; };
    const bool at_first = is_slow();
    return at_first && is_slow();
  }

  /// Takes twice as many lines until they drive the probe out. False if all of them do not.
  bool enough_evictors() {
    for (std::size_t lines = 64; lines <= pool_.size(); lines *= 2) {
      evictors_ = first_of(pool_, lines);
      if (evicts(evictors_)) return true;
    }
    return false;
  }

  /// Leaves out what is not needed to drive the probe out. False if that ends with too many, or with so many that not
  /// every one of them is needed.
  bool reduce() {
    for (std::size_t size = evictors_.size() / 2; size > 0; size /= 2) {
      const Places before = evictors_;
      leave_out(size);
      if (!evicts(evictors_)) evictors_ = before, leave_out(size);
      if (evictors_.size() > most_ways * 4 * size) return false;  // most portions of a size that is right can go
    }
    leave_out(1);
    return evictors_.size() > 1 && evictors_.size() <= most_ways && evicts(evictors_) && !any_conflicts({});
  }

  void leave_out(std::size_t size) {
    for (std::size_t first = 0; first < evictors_.size();) {
      Places without = evictors_;
      const auto begin = without.begin() + static_cast<std::ptrdiff_t>(first);
      without.erase(begin, begin + static_cast<std::ptrdiff_t>(std::min(size, evictors_.size() - first)));
      if (evicts(without)) {
        evictors_ = without;
      } else {
        first += size;
      }
    }
  }

  /// Whether one of these takes the place of one that drives the probe out.
  bool any_conflicts(const Places& places) {
    Places lines(evictors_.begin(), evictors_.end() - 1);
    lines.insert(lines.end(), places.begin(), places.end());
    return evicts(lines);
  }

  /// Those of the places that share the probe's set.
  Places conflicting(const Places& places) {
    Places found;
    if (!any_conflicts(places)) return found;
    for (const Place place : places) {
      if (any_conflicts({place})) found.push_back(place);
    }
    return found;
  }

  /// Takes more lines of the set, and lines of others, out of the pool. Returns one in how many was of the set.
  double classify_pool(SecondLevelSet& found) {
    found.lines = evictors_;
    const std::size_t lines_wanted = 3 * evictors_.size() + 4;
    std::erase_if(pool_,
                  [&](Place place) { return std::find(evictors_.begin(), evictors_.end(), place) != evictors_.end(); });
    std::size_t first = 0;
    for (; first + portion <= pool_.size() && found.lines.size() < lines_wanted; first += portion) {
      const Places some(pool_.begin() + static_cast<std::ptrdiff_t>(first),
                        pool_.begin() + static_cast<std::ptrdiff_t>(first + portion));
      const Places of_set = conflicting(some);
      for (const Place place : some) {
        const bool is_of_set = std::find(of_set.begin(), of_set.end(), place) != of_set.end();
        (is_of_set ? found.lines : found.fillers).push_back(place);
      }
    }
    const std::size_t same = found.lines.size() - evictors_.size();
    return static_cast<double>(first) / static_cast<double>(std::max<std::size_t>(same, 1));
  }

  /// Keeps those lines that all the others drive out, and finds out how many of them it takes. False if too few stay.
  bool agree_on_ways(Places& lines) {
    const Places all = lines;
    std::erase_if(lines, [&](Place line) {
      Places others = all;
      std::erase(others, line);
      others.insert(others.end(), drivers_.begin(), drivers_.end());
      return memory_.ns_after(line, others) <= threshold_ns_;
    });
    evictors_.clear();
    while (evictors_.size() < lines.size() && !evicts(evictors_)) evictors_.push_back(lines[evictors_.size()]);
    return evictors_.size() > 1 && lines.size() >= 3 * evictors_.size();
  }

  /// The smallest shift that takes a line out of the set.
  std::uint32_t line_bytes() {
    for (std::uint32_t shift = first_.shape.line_bytes; shift < way_bytes_; shift *= 2) {
      if (!any_conflicts({evictors_.back() ^ shift})) return shift;
    }
    return way_bytes_;
  }

  /// Of lines anywhere, how many share the probe's set. Those of one set of the first level are tested together, so
  /// many that they drive each other out of it. In most processors only lines of the probe's own set of the first level
  /// can be among them, in some a hash spreads all over the second.
  double share_of_all(double spread) {
    constexpr std::size_t portions = 4096;
    const std::size_t lines = std::size_t{2} * first_.shape.ways;
    std::size_t conflicts = 0;
    for (std::size_t tested = 0; tested < portions; ++tested) {
      const Place other = static_cast<Place>(1 + draw(random_, first_.shape.sets - 1)) * first_.shape.line_bytes;
      const Place offset = (probe_ + other) % way_bytes_;
      Places some;
      while (some.size() < lines) {
        const Place place = static_cast<Place>(draw(random_, memory_.bytes() / way_bytes_)) * way_bytes_ + offset;
        if (place / way_bytes_ != probe_ / way_bytes_) some.push_back(place);
      }
      conflicts += any_conflicts(some) ? 1 : 0;
    }
    const double own = 1.0 / first_.shape.sets;
    return own / spread + (1 - own) * static_cast<double>(conflicts) / static_cast<double>(portions * lines);
  }

  TimedMemory& memory_;
  FirstLevel first_;
  Place way_bytes_;
  std::mt19937_64& random_;
  Places pool_;  ///< of the probe's set of the first level
  Place probe_ = 0;
  Places drivers_;  ///< drive the probe out of the first level
  Places evictors_;
  double threshold_ns_ = 0;
};

}  // namespace

Places first_of(const Places& places, std::size_t count) {
  return {places.begin(), places.begin() + static_cast<std::ptrdiff_t>(std::min(count, places.size()))};
}

Places shuffled_period(const Places& places, std::mt19937_64& random) {
  Places period;
  Places order = places;
  for (unsigned visit = 0; visit < visits_a_period; ++visit) {
    shuffle(order, random);
    period.insert(period.end(), order.begin(), order.end());
  }
  return period;
}

std::optional<FirstLevel> find_first_level(TimedMemory& memory, std::mt19937_64& random) {
  return FirstLevelSearch(memory, random).find();
}

std::optional<SecondLevelSet> find_second_level(TimedMemory& memory, const FirstLevel& first, std::mt19937_64& random) {
  for (unsigned attempt = 0; attempt < attempts; ++attempt) {
    std::optional<SecondLevelSet> found = SecondLevelSearch(memory, first, random).find();
    if (found) return found;
  }
  return std::nullopt;
}

}  // namespace slidebench
