#include "firmware-host/setup/local_accounts.hpp"

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

/// The number of the entry with this name.
template <typename Entry, typename Id, typename Next>
std::optional<Id> id_of(std::string_view name, const std::filesystem::path& file, Next next,
                        char* Entry::*name_of, Id Entry::*number) {
    std::optional<Id> id;
    find_entry<Entry>(file, next, [&](const Entry& entry) {
        if (name == entry.*name_of) {
            id = entry.*number;
        }
        return id.has_value();
    });
    return id;
}

}  // namespace

std::optional<gid_t> local_group(std::string_view name, const std::filesystem::path& file) {
    return id_of(name, file, ::fgetgrent_r, &group::gr_name, &group::gr_gid);
}

std::optional<uid_t> local_user(std::string_view name, const std::filesystem::path& file) {
    auto id = id_of(name, file, ::fgetpwent_r, &passwd::pw_name, &passwd::pw_uid);
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
