// SPDX-License-Identifier: MIT
//
// The CSV reader (Ben Strasser's Fast C++ CSV Parser), without a false warning of GCC 12 about its file names.
#pragma once

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wstringop-truncation"
#endif
#include <libfccp/csv.h>
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif

namespace slidebench {

/// Of so many columns, whose cells may be quoted.
template <unsigned columns>
using CsvReader = io::CSVReader<columns, io::trim_chars<' '>, io::double_quote_escape<',', '"'>>;

}  // namespace slidebench
