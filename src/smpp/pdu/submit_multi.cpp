#include "src/smpp/pdu/submit_multi.hpp"

#include "src/base/check.hpp"

namespace smsrack::smpp {
namespace {

constexpr std::uint8_t number_flag = 1;
constexpr std::uint8_t list_flag = 2;
constexpr std::string_view destinations_name = "destinations";

}  // namespace

void read_destinations(Reader& reader, std::vector<MultiDestination>& destinations) {
    const std::size_t count = reader.octet("number_of_dests");
    if (count == 0 || count > destinations_max) {
        reader.fail(Status::invalid_number_of_destinations, "number_of_dests");
    }
    while (!reader.failed() && destinations.size() < count) {
        const std::uint8_t flag = reader.octet("dest_flag");
        MultiDestination& destination = destinations.emplace_back();
        if (flag == number_flag) {
            read_address(reader, destination.address, destinations_name, address_max,
                         Status::invalid_destination);
        } else if (flag == list_flag) {
            destination.is_list = true;
            destination.address.text =
                reader.text(address_max, "dl_name", Status::invalid_distribution_list);
        } else {
            reader.fail(Status::invalid_destination_flag, "dest_flag");
        }
    }
}

void put_destinations(std::string& out, const std::vector<MultiDestination>& destinations) {
    SMSRACK_CHECK(destinations.size() <= destinations_max);
    put_octet(out, static_cast<std::uint8_t>(destinations.size()));
    for (const MultiDestination& destination : destinations) {
        put_octet(out, destination.is_list ? list_flag : number_flag);
        if (destination.is_list) {
            put_text(out, destination.address.text, address_max);
        } else {
            put_address(out, destination.address, address_max);
        }
    }
}

void read_refused(Reader& reader, std::vector<RefusedDestination>& refused) {
    const std::size_t count = reader.octet("no_unsuccess");
    if (count > destinations_max) {
        reader.fail(Status::invalid_number_of_destinations, "no_unsuccess");
    }
    while (!reader.failed() && refused.size() < count) {
        RefusedDestination& one = refused.emplace_back();
        read_address(reader, one.address, "unsuccess_sme", address_max,
                     Status::invalid_destination);
        one.status = static_cast<Status>(reader.four("error_status_code"));
    }
}

void put_refused(std::string& out, const std::vector<RefusedDestination>& refused) {
    SMSRACK_CHECK(refused.size() <= destinations_max);
    put_octet(out, static_cast<std::uint8_t>(refused.size()));
    for (const RefusedDestination& one : refused) {
        put_address(out, one.address, address_max);
        put_four(out, static_cast<std::uint32_t>(one.status));
    }
}

}  // namespace smsrack::smpp
