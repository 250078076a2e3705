/// bind_transmitter, bind_receiver, bind_transceiver, their answers, and outbind.
///
/// Source:  SMPP 3.4 4.1.
#pragma once

#include "src/smpp/layout.hpp"

#include <cstdint>
#include <string>
#include <tuple>

namespace smsrack::smpp {

inline constexpr std::size_t system_id_max = 16;
inline constexpr std::size_t password_max = 9;

struct Bind {
    std::string system_id = {};
    std::string password = {};
    std::string system_type = {};
    std::uint8_t interface_version = 0x34;
    Address address_range = {};

    bool operator==(const Bind&) const = default;

    static constexpr std::size_t system_type_max = 13;
    static constexpr std::size_t range_max = 41;
    static constexpr auto fields = std::tuple{
        TextField{"system_id", &Bind::system_id, system_id_max, Status::invalid_system_id},
        TextField{"password", &Bind::password, password_max, Status::invalid_password},
        TextField{"system_type", &Bind::system_type, system_type_max, Status::invalid_system_type},
        OctetField{"interface_version", &Bind::interface_version},
        AddressField{"address_range", &Bind::address_range, range_max,
                     Status::invalid_command_length}};
};

struct BindAnswer {
    std::string system_id = {};
    Tlvs tlvs = {};

    bool operator==(const BindAnswer&) const = default;

    static constexpr auto fields = std::tuple{
        TextField{"system_id", &BindAnswer::system_id, system_id_max, Status::invalid_system_id},
        TlvField{&BindAnswer::tlvs}};
};

struct Outbind {
    std::string system_id = {};
    std::string password = {};

    bool operator==(const Outbind&) const = default;

    static constexpr auto fields = std::tuple{
        TextField{"system_id", &Outbind::system_id, system_id_max, Status::invalid_system_id},
        TextField{"password", &Outbind::password, password_max, Status::invalid_password}};
};

}  // namespace smsrack::smpp
