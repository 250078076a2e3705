#include "firmware-host/gate/session/one_time_codes.hpp"

#include <algorithm>
#include <utility>

namespace smsrack::gate {

void OneTimeCodes::add(std::string hash, SteadyTime now) {
    give_back({.hash = std::move(hash), .made = now});
}

void OneTimeCodes::give_back(Code code) {
    const auto later = std::ranges::upper_bound(codes_, code.made, {}, &Code::made);
    codes_.insert(later, std::move(code));
    if (codes_.size() > codes_max) {
        codes_.pop_front();
    }
}

std::shared_ptr<OneTimeCodes::Taken> OneTimeCodes::take(std::string_view hash, SteadyTime now) {
    std::erase_if(codes_, [&](const Code& code) { return now >= code.made + code_valid; });
    const auto found = std::ranges::find(codes_, hash, &Code::hash);
    if (found == codes_.end()) {
        return nullptr;
    }
    auto taken = std::make_shared<Taken>(*this, std::move(*found));
    codes_.erase(found);
    return taken;
}

OneTimeCodes::Taken::~Taken() {
    if (!used_) {
        codes_.give_back(std::move(code_));
    }
}

}  // namespace smsrack::gate
