#include "firmware-host/zone_file.hpp"

#include <fstream>
#include <iterator>

namespace smsrack::host {

Result<TimeZone> read_zone(const std::string& name) {
    if (name == "UTC") {
        return TimeZone{};
    }
    const std::string path = "/usr/share/zoneinfo/" + name;
    std::ifstream file(path, std::ios::binary);
    const std::string octets{std::istreambuf_iterator<char>(file), {}};
    auto zone = TimeZone::parse(octets);
    if (!zone) {
        return fail(Errc::bad_config, "time zone \"" + name + "\": " +
                                          (octets.empty() ? path + " can't be read (package tzdata)"
                                                          : zone.error().context));
    }
    return zone;
}

}  // namespace smsrack::host
