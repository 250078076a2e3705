/// What most sources include of the standard library, fmt and nlohmann's json: parsed once, where a build asks for it (SMSRACK_PRECOMPILE).
///
/// Nothing of ours belongs here: a change of one of our headers is not to rebuild everything.
#pragma once

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <expected>
#include <fmt/format.h>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>
