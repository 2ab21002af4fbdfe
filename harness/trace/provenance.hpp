// SPDX-License-Identifier: MIT
//
// What traces say of where they come from.
#pragma once

namespace slidebench {

/// The members of a trace's provenance that are read somewhere, as check_json() takes them. Each kind of trace has
/// some.
inline constexpr const char* provenance_schema = R"({
  "kind?": "text", "name?": "text", "recipe?": "text", "slidebench?": "text", "pgn_extract?": "text",
  "sources?": [{"name": "text", "sha256?": "text|null", "bytes?": "whole|null"}],
  "games?": "whole", "plies?": "whole", "rejected?": "whole", "empty?": "whole", "positions?": "whole",
  "nodes?": "whole", "seed?": "whole|null", "depth?": "whole",
  "search?": {"nodes?": "whole", "evaluations?": "whole", "visits?": "whole", "callers?": {"*": "whole"}}
})";

}  // namespace slidebench
