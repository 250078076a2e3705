#include "firmware-host/setup/box_identity.hpp"

#include "firmware-host/setup/text_file.hpp"
#include "src/wire/json.hpp"
#include "src/wire/json_writer.hpp"

#include <cerrno>
#include <cstdint>
#include <sys/stat.h>
#include <system_error>

namespace smsrack::host {
namespace {

constexpr mode_t others = 077;

}  // namespace

std::filesystem::path identity_file(const std::filesystem::path& state_dir) {
    return state_dir / "cluster" / "box.json";
}

Result<BoxIdentity> read_identity(const std::filesystem::path& state_dir) {
    const std::filesystem::path path = identity_file(state_dir);
    struct stat found = {};
    if (::stat(path.c_str(), &found) != 0) {
        const int error = errno;
        return fail(error == ENOENT   ? Errc::not_found
                    : error == EACCES ? Errc::not_allowed
                                      : Errc::storage,
                    path.string() + ": " + std::generic_category().message(error), error);
    }
    if ((found.st_mode & others) != 0) {
        return fail(Errc::bad_config,
                    path.string() +
                        ": other accounts may read it; `chmod 600` it, and if one has "
                        "read it, join under another name");
    }
    const auto text = read_text_file(path.string());
    if (!text) {
        return std::unexpected(text.error());
    }
    const auto json = wire::parse_json(*text);
    const bool whole = json && json->is_object() && json->contains("name") &&
                       (*json)["name"].is_string() && json->contains("number") &&
                       (*json)["number"].is_number_integer() && json->contains("key") &&
                       (*json)["key"].is_string();
    const auto number = whole ? (*json)["number"].get<std::int64_t>() : 0;
    if (!whole || number < 0 || number > box_number_max) {
        return fail(Errc::bad_config,
                    path.string() + ": is not as `smsrack cluster join` writes it");
    }
    return BoxIdentity{.number = BoxNumber{static_cast<std::int32_t>(number)},
                       .name = (*json)["name"].get<std::string>(),
                       .key = (*json)["key"].get<std::string>()};
}

std::string identity_text(const BoxIdentity& identity) {
    return wire::json_object([&](wire::JsonWriter& json) {
               json.member("name", identity.name);
               json.member("number", identity.number.value);
               json.member("key", identity.key);
           }) +
           "\n";
}

}  // namespace smsrack::host
