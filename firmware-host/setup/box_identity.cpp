#include "firmware-host/setup/box_identity.hpp"

#include "firmware-host/setup/text_file.hpp"
#include "src/wire/json.hpp"
#include "src/wire/json_writer.hpp"

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <fcntl.h>
#include <string_view>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace smsrack::host {
namespace {

constexpr mode_t own_folder = 0700;
constexpr mode_t own_file = 0600;
constexpr mode_t others = 077;

std::unexpected<Error> file_error(const std::filesystem::path& path) {
    const int error = errno;
    return fail(error == EACCES || error == EPERM ? Errc::not_allowed : Errc::storage,
                path.string() + ": " + std::system_category().message(error), error);
}

/// A descriptor that closes itself.
class File {
public:
    explicit File(int fd) : fd_(fd) {}
    File(const File&) = delete;
    File& operator=(const File&) = delete;
    ~File() {
        if (fd_ >= 0) {
            ::close(fd_);
        }
    }
    [[nodiscard]] int get() const { return fd_; }

private:
    int fd_;
};

Result<> sync_folder(const std::filesystem::path& folder) {
    const File file(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (file.get() < 0 || ::fsync(file.get()) != 0) {
        return file_error(folder);
    }
    return {};
}

/// Where root joins, the service must read it: the files are its account's.
Result<> give_to_owner_of(const std::filesystem::path& model, const std::filesystem::path& path) {
    struct stat owner = {};
    if (::stat(model.c_str(), &owner) != 0) {
        return file_error(model);
    }
    if (::geteuid() == 0 && ::lchown(path.c_str(), owner.st_uid, owner.st_gid) != 0) {
        return file_error(path);
    }
    return {};
}

Result<> write_whole(const std::filesystem::path& path, std::string_view text) {
    const File file(
        ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, own_file));
    if (file.get() < 0) {
        return file_error(path);
    }
    while (!text.empty()) {
        const ssize_t written = ::write(file.get(), text.data(), text.size());
        if (written < 0 && errno != EINTR) {
            return file_error(path);
        }
        text.remove_prefix(static_cast<std::size_t>(std::max<ssize_t>(written, 0)));
    }
    return ::fsync(file.get()) == 0 ? Result<>() : file_error(path);
}

Result<> make_folder(const std::filesystem::path& state_dir, const std::filesystem::path& folder) {
    if (::mkdir(folder.c_str(), own_folder) != 0 && errno != EEXIST) {
        return file_error(folder);
    }
    return give_to_owner_of(state_dir, folder);
}

}  // namespace

std::filesystem::path identity_file(const std::filesystem::path& state_dir) {
    return state_dir / "cluster" / "box.json";
}

Result<BoxIdentity> read_identity(const std::filesystem::path& state_dir) {
    const std::filesystem::path path = identity_file(state_dir);
    struct stat found = {};
    if (::stat(path.c_str(), &found) != 0) {
        return errno == ENOENT ? fail(Errc::not_found, path.string() + " is not there")
                               : file_error(path);
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

Result<> write_identity(const std::filesystem::path& state_dir, const BoxIdentity& identity) {
    const std::filesystem::path path = identity_file(state_dir);
    const std::filesystem::path folder = path.parent_path();
    if (auto made = make_folder(state_dir, folder); !made) {
        return made;
    }
    const std::string text = wire::json_object([&](wire::JsonWriter& json) {
        json.member("name", identity.name);
        json.member("number", identity.number.value);
        json.member("key", identity.key);
    });
    std::filesystem::path made = path;
    made += ".new";
    if (auto written = write_whole(made, text + "\n"); !written) {
        return written;
    }
    if (auto given = give_to_owner_of(state_dir, made); !given) {
        return given;
    }
    if (::rename(made.c_str(), path.c_str()) != 0) {
        return file_error(path);
    }
    return sync_folder(folder);
}

}  // namespace smsrack::host
