#include "tests/simulate/user_data.hpp"

#include <array>
#include <cstddef>

namespace smsrack::simulate {

std::string user_data(std::string_view pdu) {
    static constexpr std::array<std::size_t, 4> validity_octets{0, 7, 1, 7};  // by TP-VPF
    const auto octet = [pdu](std::size_t at) {
        return at < pdu.size() ? static_cast<unsigned char>(pdu[at]) : 0U;
    };
    const std::size_t first = 1 + octet(0);
    const std::size_t digits = octet(first + 2);               // behind the first octet and TP-MR
    const std::size_t dcs = first + 4 + (digits + 1) / 2 + 1;  // behind TP-DA and TP-PID
    const std::size_t length = dcs + 1 + validity_octets.at(octet(first) >> 3U & 3U);
    return length < pdu.size() ? std::string(1, pdu[dcs]) + std::string(pdu.substr(length))
                               : std::string();
}

std::string concat_ref(std::string_view user_data) {
    constexpr std::size_t element = 3;  // behind TP-DCS, TP-UDL and the header's length
    if (user_data.size() < element + 4) {
        return {};
    }
    const std::string_view said = user_data.substr(element);
    if (said.starts_with(std::string_view("\0\3", 2))) {
        return std::string(said.substr(2, 1));
    }
    return said.starts_with("\x08\x04") ? std::string(said.substr(2, 2)) : std::string();
}

}  // namespace smsrack::simulate
