/// Tests whether a message of one own SIM reaches another one. It uses POST /v1/self-sms of the
/// service; clients never see the message.
///
/// Time:    waits for lines that are on their way, and where the service has no time; then for the message.
/// Threads: one.
#pragma once

#include "tools/smsrack/context.hpp"
#include "tools/smsrack/firmware/firmware_box.hpp"

#include <chrono>
#include <cstdint>
#include <string>

namespace smsrack::cli {

enum class RadioVerdict : std::uint8_t {
    passed,
    not_possible,  ///< there are no two lines that may take part; nothing was sent
    failed,        ///< sent, or refused by a service that should have taken it
    interrupted,
};

struct RadioTest {
    RadioVerdict verdict = RadioVerdict::failed;
    std::string words = {};  ///< in words: from where to where, or why not
};

struct RadioLimits {
    std::chrono::seconds lines{60};  ///< until the message is taken
    std::chrono::seconds message{300};
};

[[nodiscard]] RadioTest radio_test(const RadioLimits& limits, const FirmwareBox& box,
                                   Context& context);

}  // namespace smsrack::cli
