#include "tools/rig/truth.hpp"

#include <algorithm>
#include <array>

namespace smsrack::rig {
namespace {

constexpr std::array<std::string_view, 4> went_out{"sent", "delivered", "undelivered", "expired"};

}  // namespace

Truth compare(const std::vector<ToldMessage>& told, const std::map<std::string, unsigned>& taken) {
    Truth truth;
    for (const ToldMessage& message : told) {
        const auto found = taken.find(message.to);
        const unsigned times = found == taken.end() ? 0 : found->second;
        if (times > 1) {
            truth.twice.push_back(message.id);
        } else if (std::ranges::find(went_out, message.state) != went_out.end()) {
            times == 1 ? void(++truth.sent) : truth.lost.push_back(message.id);
        } else if (message.state != "failed") {
            truth.lost.push_back(message.id);
        } else if (message.unknown) {
            truth.unknown.push_back(message.id);
        } else if (times == 1) {
            truth.denied.push_back(message.id);
        } else {
            ++truth.refused;
        }
    }
    return truth;
}

ReceivedTruth compare_received(const std::vector<std::string>& came,
                               const std::vector<std::string>& inbox) {
    std::map<std::string_view, unsigned> there;
    for (const std::string& text : inbox) {
        ++there[text];
    }
    ReceivedTruth truth;
    for (const std::string& text : came) {
        switch (there[text]) {
            case 0:
                truth.lost.push_back(text);
                break;
            case 1:
                ++truth.kept;
                break;
            default:
                truth.twice.push_back(text);
        }
    }
    return truth;
}

}  // namespace smsrack::rig
