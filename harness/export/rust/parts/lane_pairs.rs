// SPDX-License-Identifier: MIT
include!("parts/lanes.rs");

/// The union of the lanes of each half.
#[inline]
unsafe fn unite_each(lanes: __m256i) -> (u64, u64) {
    let unions = _mm256_or_si256(lanes, _mm256_unpackhi_epi64(lanes, lanes));
    let (bishop, rook) = (_mm256_castsi256_si128(unions), _mm256_extracti128_si256(unions, 1));
    (_mm_cvtsi128_si64(bishop) as u64, _mm_cvtsi128_si64(rook) as u64)
}
