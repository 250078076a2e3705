#include "firmware-host/gate/session/one_time_codes.hpp"

#include <algorithm>
#include <utility>

namespace smsrack::gate {

void OneTimeCodes::add(std::string hash, SteadyTime now) {
    if (codes_.size() >= codes_max) {
        codes_.pop_front();
    }
    codes_.push_back({.hash = std::move(hash), .made = now});
}

bool OneTimeCodes::take(std::string_view hash, SteadyTime now) {
    std::erase_if(codes_, [&](const Code& code) { return now >= code.made + code_valid; });
    const auto found = std::ranges::find(codes_, hash, &Code::hash);
    if (found == codes_.end()) {
        return false;
    }
    codes_.erase(found);
    return true;
}

}  // namespace smsrack::gate
