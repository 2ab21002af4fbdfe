// SPDX-License-Identifier: MIT
#include "harness/measure/round.hpp"

namespace slidebench {

std::vector<SampleTime> time_group(const PreparedCell& cell, const Group& group, const RoundOfRun& round,
                                   Shuffler& random) {
  return cell.in_turns ? time_in_turns(group, *cell.work, round.segment, random)
                       : time_in_order(group, *cell.work, round.segment, round.warm_up_ms, round.counting);
}

}  // namespace slidebench
