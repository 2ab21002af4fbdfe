// SPDX-License-Identifier: MIT

/// The union of both lanes.
#[inline]
unsafe fn unite(lanes: __m128i) -> u64 {
    _mm_cvtsi128_si64(_mm_or_si128(lanes, _mm_unpackhi_epi64(lanes, lanes))) as u64
}

/// The union of both halves.
#[inline]
unsafe fn halve(lanes: __m256i) -> __m128i {
    _mm_or_si128(_mm256_castsi256_si128(lanes), _mm256_extracti128_si256(lanes, 1))
}
