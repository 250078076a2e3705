#include "src/webhook/config_hash.hpp"

#include "src/base/hash.hpp"

#include <fmt/format.h>
#include <string_view>

namespace smsrack::webhook {
namespace {

/// With its length, so that no two lists of values give the same octets.
void add(std::string& octets, std::string_view value) {
    octets += fmt::format("{}:{},", value.size(), value);
}

}  // namespace

std::string config_hash(const config::WebhookSettings& settings) {
    std::string octets;
    for (const std::string& value :
         {settings.name, settings.url, settings.client, settings.ca, settings.proxy}) {
        add(octets, value);
    }
    add(octets, settings.secret ? settings.secret->file : "");
    add(octets, settings.key ? settings.key->file : "");
    add(octets, fmt::format("{} {} {}", static_cast<int>(settings.style), settings.text,
                            settings.insecure));
    for (const std::string& event : settings.events) {
        add(octets, event);
    }
    return hash128_text(octets);
}

}  // namespace smsrack::webhook
