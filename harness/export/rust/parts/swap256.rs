// SPDX-License-Identifier: MIT

/// The same of four lanes.
#[inline]
unsafe fn swap256(lanes: __m256i) -> __m256i {
    let order = _mm_set_epi64x(0x0809_0A0B_0C0D_0E0F, 0x0001_0203_0405_0607);
    _mm256_shuffle_epi8(lanes, _mm256_broadcastsi128_si256(order))
}
