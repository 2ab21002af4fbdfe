// SPDX-License-Identifier: MIT

/// Reverses the bytes of each lane: the board upside down.
#[inline]
unsafe fn swap128(lanes: __m128i) -> __m128i {
    _mm_shuffle_epi8(lanes, _mm_set_epi64x(0x0809_0A0B_0C0D_0E0F, 0x0001_0203_0405_0607))
}
