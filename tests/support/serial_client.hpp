/// A program on a serial port, for tests: writes, and waits for what it expects to read.
///
/// Threads: one.
/// Errors:  std::runtime_error where the port can't be opened.
#pragma once

#include <chrono>
#include <filesystem>
#include <string>
#include <string_view>

namespace smsrack::test {

class SerialClient {
public:
    /// Opens the port as it is, without setting or flushing anything.
    explicit SerialClient(const std::filesystem::path& port);
    SerialClient(const SerialClient&) = delete;
    SerialClient& operator=(const SerialClient&) = delete;
    ~SerialClient();

    void write(std::string_view octets) const;
    /// What came, up to the moment it ends with `end`; or all that came `within` this time.
    [[nodiscard]] std::string read_until(
        std::string_view end, std::chrono::milliseconds within = std::chrono::seconds(10)) const;
    /// A command line and its response, up to OK.
    [[nodiscard]] std::string at(std::string_view command) const;
    /// True when the port has hung up, or does so within 10 s.
    [[nodiscard]] bool hung_up() const;

private:
    int fd_ = -1;
};

}  // namespace smsrack::test
