/// SMS-SUBMIT: a message to the network, read and written.
///
/// Unit:    PDUs are octets in a std::string, the service centre field in front, as AT+CMGS takes
///          them.
/// Errors:  reading: truncated, bad_address, bad_udl, bad_udh stay in the reader. Views live as
///          long as the octets read.
/// Source:  3GPP TS 23.040 9.2.2.2.
#pragma once

#include "src/pdu/address_field.hpp"
#include "src/pdu/first_octet.hpp"
#include "src/pdu/reader.hpp"
#include "src/pdu/user_data.hpp"
#include "src/pdu/validity_period.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace smsrack::pdu {

struct SmsSubmit {
    FirstOctet first = {};
    std::uint8_t tp_mr = 0;
    AddressField destination = {};
    std::uint8_t tp_pid = 0;
    ValidityPeriod vp = {};
    UserData user_data = {};
};

/// Reads all behind the first octet.
[[nodiscard]] SmsSubmit read_sms_submit(Reader& reader, FirstOctet first);

/// What all segments of a message have in common.
struct SubmitHead {
    AddressOctets destination;
    std::optional<AddressOctets> service_centre = {};  ///< nullopt: that of the SIM
    std::uint8_t tp_pid = 0;
    std::uint8_t tp_dcs = 0;
    ValidityPeriod vp = {};
    bool reject_duplicates = false;
    bool status_report = false;
    bool reply_path = false;
};

/// TP-UDL and TP-UD of one segment.
struct SegmentData {
    bool has_header = false;
    std::uint8_t tp_udl = 0;
    std::uint8_t size = 0;  ///< octets of `octets` in use
    std::array<std::uint8_t, user_data_octets_max> octets = {};
};

/// The PDU, ready for AT+CMGS.
[[nodiscard]] std::string make_sms_submit(const SubmitHead& head, std::uint8_t tp_mr,
                                          const SegmentData& segment);

/// The number of AT+CMGS: octets without the service centre field. `pdu` was made here.
[[nodiscard]] std::size_t tpdu_length(const std::string& pdu);

/// Sets TP-VP of a PDU made here, for one that had to wait; its length changes with the format.
void set_validity(std::string& pdu, const ValidityPeriod& period);

}  // namespace smsrack::pdu
