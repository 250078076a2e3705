#include "tools/smsrack/dashboard/login_page.hpp"

#include "tools/client/unique_fd.hpp"

#include <cerrno>
#include <cstdlib>
#include <fcntl.h>
#include <fmt/format.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace smsrack::cli {
namespace {

Result<> failed(const std::filesystem::path& path) {
    const int error = errno;
    return fail(Errc::storage, path.string() + ": " + std::generic_category().message(error),
                error);
}

std::string page_to(const std::string& address) {
    return fmt::format(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
        "<title>smsrack</title><meta name=\"referrer\" content=\"no-referrer\">"
        "<meta http-equiv=\"refresh\" content=\"0;url={0}\"></head>"
        "<body><a href=\"{0}\">The dashboard</a></body></html>\n",
        address);
}

Result<> write_new(const std::filesystem::path& path, const std::string& text) {
    constexpr mode_t own_alone = 0600;
    const client::UniqueFd file(
        ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, own_alone));
    if (!file ||
        ::write(file.get(), text.data(), text.size()) != static_cast<ssize_t>(text.size())) {
        return failed(path);
    }
    return {};
}

}  // namespace

Result<LoginPage> LoginPage::write(const std::filesystem::path& parent,
                                   const std::string& address) {
    std::string folder = (parent / "smsrack-dashboard-XXXXXX").string();
    if (::mkdtemp(folder.data()) == nullptr) {  // 0700
        return std::unexpected(failed(folder).error());
    }
    LoginPage page(std::move(folder));
    if (auto written = write_new(page.file(), page_to(address)); !written) {
        return std::unexpected(std::move(written.error()));
    }
    return page;
}

LoginPage::LoginPage(LoginPage&& other) noexcept : folder_(std::exchange(other.folder_, {})) {}

LoginPage& LoginPage::operator=(LoginPage&& other) noexcept {
    std::swap(folder_, other.folder_);
    return *this;
}

LoginPage::~LoginPage() {
    if (!folder_.empty()) {
        std::error_code ignored;
        std::filesystem::remove(file(), ignored);
        std::filesystem::remove(folder_, ignored);
    }
}

}  // namespace smsrack::cli
