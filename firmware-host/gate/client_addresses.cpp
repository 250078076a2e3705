#include "firmware-host/gate/client_addresses.hpp"

#include "src/base/hash.hpp"

#include <algorithm>
#include <utility>

namespace smsrack::gate {
namespace {

std::string_view without_blanks(std::string_view text) {
    const std::size_t first = text.find_first_not_of(" \t");
    return first == std::string_view::npos
               ? ""
               : text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

/// "192.0.2.1", "192.0.2.1:5678", "[2001:db8::1]" and "[2001:db8::1]:5678": proxies write all of these.
std::string_view without_port(std::string_view text) {
    if (text.starts_with('[')) {
        return text.substr(1, text.find(']') - 1);
    }
    return text.find(':') == text.rfind(':') ? text.substr(0, text.find(':')) : text;
}

}  // namespace

ClientAddresses::ClientAddresses(const std::vector<std::string>& trusted_proxies, std::string key)
    : key_(std::move(key)) {
    for (const std::string& text : trusted_proxies) {
        trusted_.push_back(config::ip_address_of(text).value());
    }
}

/// Behind a proxy: the last address that it has added; what is before that the client may have made up.
ClientPlace ClientAddresses::of(const wire::HttpRequest& request) const {
    const std::string& peer = request.peer->address;
    const auto field = std::ranges::find(request.headers.rbegin(), request.headers.rend(),
                                         "x-forwarded-for", &wire::HeaderField::name);
    std::string address = peer;
    if (field != request.headers.rend() && is_trusted(peer)) {
        const std::string_view forwarded = field->value;
        const auto last = config::ip_address_of(
            without_port(without_blanks(forwarded.substr(forwarded.rfind(',') + 1))));
        address = last ? last->text() : peer;
    }
    const std::uint32_t network = network_of(address);
    const bool is_proxy = is_trusted(address);
    return {.address = std::move(address), .network = network, .is_proxy = is_proxy};
}

std::uint32_t ClientAddresses::network_of(std::string_view address) const {
    const auto parsed = config::ip_address_of(address);
    return static_cast<std::uint32_t>(
        hash64(key_ + (parsed ? parsed->client_network().text() : std::string(address))));
}

bool ClientAddresses::is_trusted(std::string_view address) const {
    const auto parsed = config::ip_address_of(address);
    return parsed && std::ranges::find(trusted_, *parsed) != trusted_.end();
}

}  // namespace smsrack::gate
