#include "firmware-host/setup/zone_file.hpp"

#include "firmware-host/setup/text_file.hpp"

namespace smsrack::host {

Result<TimeZone> read_zone(const std::string& name) {
    if (name == "UTC") {
        return TimeZone{};
    }
    const std::string path = "/usr/share/zoneinfo/" + name;
    const auto octets = read_text_file(path);
    if (!octets) {
        return fail(Errc::bad_config, "time zone \"" + name + "\": " + octets.error().context +
                                          " (zones are in the package tzdata)");
    }
    auto zone = TimeZone::parse(*octets);
    if (!zone) {
        return fail(Errc::bad_config, "time zone \"" + name + "\": " + zone.error().context);
    }
    return zone;
}

}  // namespace smsrack::host
