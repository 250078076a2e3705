#include "src/trigger/batch_times.hpp"

#include "src/base/time_text.hpp"

namespace smsrack::trigger {

std::string batch_label(std::string_view trigger, WallTime now) {
    constexpr std::size_t date_octets = 10;
    return std::string(trigger) + ":" + time_text(now).substr(0, date_octets);
}

}  // namespace smsrack::trigger
