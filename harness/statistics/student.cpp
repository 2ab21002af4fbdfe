// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <numbers>

#include "harness/statistics/statistics.hpp"

namespace slidebench {
namespace {

/// The continued fraction of the incomplete beta function (NIST Handbook of Mathematical Functions, 8.17.22), by
/// Lentz's method (1976): it converges fast for x < (a + 1) / (a + b + 2).
double beta_fraction(double a, double b, double x) {
  constexpr double least = 1e-300, enough = 1e-15;
  const auto away_from_zero = [](double value) { return std::abs(value) < least ? least : value; };
  double c = 1, d = 1 / away_from_zero(1 - (a + b) * x / (a + 1)), fraction = d;
  for (double m = 1; m < 10'000; ++m) {
    const double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
    const double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
    double step = 1;
    for (const double numerator : {even, odd}) {
      d = 1 / away_from_zero(1 + numerator * d);
      c = away_from_zero(1 + numerator / c);
      step = c * d;
      fraction *= step;
    }
    if (std::abs(step - 1) < enough) break;
  }
  return fraction;
}

/// I_x(a, b), the regularised incomplete beta function.
double incomplete_beta(double a, double b, double x) {
  const double factor =
      std::exp(std::lgamma(a + b) - std::lgamma(a) - std::lgamma(b) + a * std::log(x) + b * std::log1p(-x));
  if (x < (a + 1) / (a + b + 2)) return factor * beta_fraction(a, b, x) / a;
  return 1 - factor * beta_fraction(b, a, 1 - x) / b;
}

}  // namespace

double student_quantile(double degrees_of_freedom, double error) {
  const double n = degrees_of_freedom, tail = error / 2;
  const double log_density_at_zero = std::lgamma((n + 1) / 2) - std::lgamma(n / 2) - std::log(n * std::numbers::pi) / 2;
  // Newton's method on the logarithm of the probability over that of t, which is concave: from one step on all t are
  // too large.
  double log_t = 0;
  for (int i = 0; i < 100; ++i) {
    const double t = std::exp(log_t);
    const double exceeded = incomplete_beta(n / 2, .5, n / (n + t * t)) / 2;
    const double density = std::exp(log_density_at_zero - (n + 1) / 2 * std::log1p(t * t / n));
    // A first step too far would meet probabilities that are no numbers any more.
    const double step = std::min(.5, std::log(exceeded / tail) * exceeded / (t * density));
    log_t += step;
    if (std::abs(step) < 1e-13) break;
  }
  return std::exp(log_t);
}

}  // namespace slidebench
