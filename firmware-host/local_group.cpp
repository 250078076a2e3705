#include "firmware-host/local_group.hpp"

#include <cerrno>
#include <cstdio>
#include <grp.h>
#include <memory>
#include <vector>

namespace smsrack::host {

std::optional<gid_t> local_group(std::string_view name, const std::filesystem::path& file) {
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> groups(std::fopen(file.c_str(), "re"),
                                                                 std::fclose);
    if (!groups) {
        return std::nullopt;
    }
    constexpr std::size_t line_max = 65'536;  // a line with more members is passed over
    std::vector<char> text(line_max);
    for (;;) {
        group entry{};
        group* found = nullptr;
        const int error = ::fgetgrent_r(groups.get(), &entry, text.data(), text.size(), &found);
        if (found != nullptr && name == found->gr_name) {
            return found->gr_gid;
        }
        if (error == ERANGE) {  // the line was not taken
            int c = 0;
            while ((c = std::fgetc(groups.get())) != '\n' && c != EOF) {
            }
            continue;
        }
        if (error != 0) {
            return std::nullopt;
        }
    }
}

}  // namespace smsrack::host
