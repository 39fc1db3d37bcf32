// How `experiment` shows its results as text.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "app/experiments/bandit.h"
#include "app/experiments/position.h"
#include "app/experiments/properties.h"
#include "app/experiments/strength.h"

namespace zermelo::cli {

std::string experiment_text(const app::BanditStudy& study);
std::string experiment_text(const app::PositionStudy& study);
std::string experiment_text(const app::PropertiesStudy& study);
std::string experiment_text(const app::StrengthStudy& study);

// "12.7 (10.8 to 14.9)": in percent, with its interval. Wilson's is not centred on the share.
std::string percent(const base::Interval& share);

// A row per curve with its shares after each number of samples. The points of a curve are `every`
// samples apart.
std::string curve_table(const std::vector<app::Curve>& curves, std::uint32_t every,
                        std::span<const std::uint32_t> samples);

}  // namespace zermelo::cli
