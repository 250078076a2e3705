#include "firmware-host/local_accounts.hpp"

#include <cerrno>
#include <charconv>
#include <cstdio>
#include <grp.h>
#include <memory>
#include <pwd.h>
#include <vector>

namespace smsrack::host {
namespace {

/// Calls `taken` with each entry of the file until it gives true.
template <typename Entry, typename Next, typename Taken>
void find_entry(const std::filesystem::path& file, Next next, Taken taken) {
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> lines(std::fopen(file.c_str(), "re"),
                                                                std::fclose);
    if (!lines) {
        return;
    }
    constexpr std::size_t line_max = 65'536;  // a line with more members is passed over
    std::vector<char> text(line_max);
    for (;;) {
        Entry entry{};
        Entry* found = nullptr;
        const int error = next(lines.get(), &entry, text.data(), text.size(), &found);
        if (found != nullptr && taken(*found)) {
            return;
        }
        if (error == ERANGE) {  // the line was not taken
            int c = 0;
            while ((c = std::fgetc(lines.get())) != '\n' && c != EOF) {
            }
            continue;
        }
        if (error != 0) {
            return;
        }
    }
}

}  // namespace

std::optional<gid_t> local_group(std::string_view name, const std::filesystem::path& file) {
    std::optional<gid_t> id;
    find_entry<group>(file, ::fgetgrent_r, [&](const group& entry) {
        if (name == entry.gr_name) {
            id = entry.gr_gid;
        }
        return id.has_value();
    });
    return id;
}

std::optional<uid_t> local_user(std::string_view name, const std::filesystem::path& file) {
    std::optional<uid_t> id;
    find_entry<passwd>(file, ::fgetpwent_r, [&](const passwd& entry) {
        if (name == entry.pw_name) {
            id = entry.pw_uid;
        }
        return id.has_value();
    });
    if (!id) {
        uid_t number = 0;
        const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
        if (error == std::errc() && end == name.data() + name.size()) {
            id = number;
        }
    }
    return id;
}

}  // namespace smsrack::host
