// SPDX-License-Identifier: MIT
#pragma once

namespace slidebench {

/// The t that a variable of Student's distribution exceeds with a probability `tail` in (0, 1/2); degrees_of_freedom >
/// 0. To nine digits.
double student_upper_quantile(double degrees_of_freedom, double tail);

}  // namespace slidebench
