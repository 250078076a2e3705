/// A page in a file that sends a browser to an address with a login code.
///
/// All accounts of the machine can read the command line of a browser. So it has the name of this file, which only the caller
/// can read, in the place of the address.
/// Errors:  storage: the file can't be written.
#pragma once

#include "src/base/result.hpp"

#include <filesystem>
#include <string>

namespace smsrack::cli {

class LoginPage {
public:
    /// In a new folder in `parent`. `address` is the gate's own, without characters that mean something in HTML.
    [[nodiscard]] static Result<LoginPage> write(const std::filesystem::path& parent,
                                                 const std::string& address);

    LoginPage(LoginPage&& other) noexcept;
    LoginPage& operator=(LoginPage&& other) noexcept;
    LoginPage(const LoginPage&) = delete;
    LoginPage& operator=(const LoginPage&) = delete;
    /// Removes the file and its folder.
    ~LoginPage();

    [[nodiscard]] std::filesystem::path file() const { return folder_ / "dashboard.html"; }

private:
    explicit LoginPage(std::filesystem::path folder) : folder_(std::move(folder)) {}

    std::filesystem::path folder_;  // empty: moved from
};

}  // namespace smsrack::cli
