#include "tools/rig/wire_time.hpp"

#include <string_view>

namespace smsrack::rig {
namespace {

constexpr double bits_per_octet = 10;
constexpr unsigned references = 256;

std::size_t digits_of(std::size_t number) {
    std::size_t digits = 1;
    for (; number >= 10; number /= 10) {
        ++digits;
    }
    return digits;
}

}  // namespace

std::size_t submit_dialogue_octets(std::size_t pdu_octets, std::size_t tpdu_octets, unsigned mr) {
    constexpr std::string_view command = "AT+CMGS=\r";
    constexpr std::string_view prompt = "\r\n> ";
    constexpr std::string_view end_of_pdu = "\x1A";
    constexpr std::string_view answer = "\r\n+CMGS: \r\n\r\nOK\r\n";
    return command.size() + digits_of(tpdu_octets) + prompt.size() + 2 * pdu_octets +
           end_of_pdu.size() + answer.size() + digits_of(mr);
}

double mean_submit_dialogue_octets(std::size_t pdu_octets, std::size_t tpdu_octets) {
    std::size_t sum = 0;
    for (unsigned mr = 0; mr < references; ++mr) {
        sum += submit_dialogue_octets(pdu_octets, tpdu_octets, mr);
    }
    return static_cast<double>(sum) / references;
}

double wire_limit(double dialogue_octets, unsigned baud, std::chrono::duration<double> service,
                  unsigned modems) {
    return modems / (dialogue_octets * bits_per_octet / baud + service.count());
}

}  // namespace smsrack::rig
