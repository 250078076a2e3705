#include "tools/rig/message_form.hpp"

#include "src/base/check.hpp"

#include <fmt/format.h>
#include <utility>

namespace smsrack::rig {
namespace {

static_assert(forty_letters.size() == 40);

constexpr std::size_t digits = 8;
constexpr std::string_view country_and_first = "+336";
constexpr std::string_view gap = "########";  // where the serial goes

void put_serial(char* at, std::uint64_t serial) {
    for (std::size_t i = digits; i-- > 0; serial /= 10) {
        at[i] = static_cast<char>('0' + serial % 10);
    }
}

}  // namespace

MessageForm::MessageForm(unsigned run, std::optional<unsigned> priority) {
    const std::string level = priority ? fmt::format(R"("priority":{},)", *priority) : "";
    const std::string json =
        fmt::format(R"({{"to":"{0}{1}","text":"{2}",{4}"ref":"{3:04}-{1}","report":false}})",
                    country_and_first, gap, forty_letters, run, level);
    line_ = patched(json + "\n");
    request_ =
        patched(fmt::format("POST /v1/messages HTTP/1.1\r\nHost: localhost\r\n"
                            "Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{}",
                            json.size(), json));
}

std::string_view MessageForm::request(std::uint64_t serial) {
    return request_.with(serial);
}

std::string_view MessageForm::line(std::uint64_t serial) {
    return line_.with(serial);
}

std::string MessageForm::recipient(std::uint64_t serial) {
    return fmt::format("{}{:08}", country_and_first, serial);
}

MessageForm::Patched MessageForm::patched(std::string octets) {
    const auto to = octets.find(gap);
    const auto ref = octets.rfind(gap);
    SMSRACK_CHECK(to != ref);
    return {.octets = std::move(octets), .to = to, .ref = ref};
}

std::string_view MessageForm::Patched::with(std::uint64_t serial) {
    put_serial(octets.data() + to, serial);
    put_serial(octets.data() + ref, serial);
    return octets;
}

}  // namespace smsrack::rig
