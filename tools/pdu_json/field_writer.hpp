/// Writes the fields that several records share as members of a JSON object.
///
/// Each function writes one member or a few that belong together, named as `smsrack pdu decode`
/// names them.
#pragma once

#include "src/pdu/address_field.hpp"
#include "src/pdu/scts.hpp"
#include "src/pdu/user_data.hpp"
#include "src/pdu/validity_period.hpp"
#include "src/wire/json_writer.hpp"

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace smsrack::tools {

class FieldWriter {
public:
    /// Appends to `out`, which outlives the writer.
    explicit FieldWriter(std::string& out) : out_(out), json_(out) {}
    FieldWriter(const FieldWriter&) = delete;
    FieldWriter& operator=(const FieldWriter&) = delete;
    ~FieldWriter() = default;

    /// The same object, for all other members.
    [[nodiscard]] wire::JsonWriter& json() { return json_; }

    void hex(std::string_view name, pdu::Octets octets);
    /// An object whose members are numbers.
    void numbers(std::string_view name,
                 std::initializer_list<std::pair<std::string_view, unsigned>> members);
    void languages(pdu::Languages tables);
    void address(std::string_view name, const pdu::AddressField& address);
    void time(std::string_view name, const std::optional<pdu::CivilTime>& time);  ///< or null
    void timestamp(std::string_view name, std::string_view raw_name, const pdu::Timestamp& stamp);
    void dcs(const pdu::Dcs& dcs);
    void message_pid(std::uint8_t tp_pid);  ///< with what it means for a message
    void validity(const pdu::ValidityPeriod& vp);
    void user_data(const pdu::UserData& data);  ///< with its header, and as text or data

private:
    void header(const pdu::Udh& udh);

    std::string& out_;
    wire::JsonWriter json_;
};

}  // namespace smsrack::tools
