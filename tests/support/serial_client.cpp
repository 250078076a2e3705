#include "tests/support/serial_client.hpp"

#include <array>
#include <fcntl.h>
#include <poll.h>
#include <stdexcept>
#include <unistd.h>

namespace smsrack::test {

SerialClient::SerialClient(const std::filesystem::path& port)
    : fd_(::open(port.c_str(), O_RDWR | O_NOCTTY | O_CLOEXEC)) {
    if (fd_ < 0) {
        throw std::runtime_error("can't open " + port.string());
    }
}

SerialClient::~SerialClient() {
    ::close(fd_);
}

void SerialClient::write(std::string_view octets) const {
    if (::write(fd_, octets.data(), octets.size()) != static_cast<ssize_t>(octets.size())) {
        throw std::runtime_error("the port did not take all");
    }
}

std::string SerialClient::read_until(std::string_view end, std::chrono::milliseconds within) const {
    const auto deadline = std::chrono::steady_clock::now() + within;
    std::string got;
    while (!got.ends_with(end)) {
        const auto left = std::chrono::ceil<std::chrono::milliseconds>(
            deadline - std::chrono::steady_clock::now());
        pollfd port{.fd = fd_, .events = POLLIN, .revents = 0};
        if (left.count() <= 0 || ::poll(&port, 1, static_cast<int>(left.count())) <= 0) {
            break;
        }
        char octet = 0;
        if (::read(fd_, &octet, 1) != 1) {
            break;
        }
        got += octet;
    }
    return got;
}

std::string SerialClient::at(std::string_view command) const {
    write(std::string(command) + "\r");
    return read_until("\r\nOK\r\n");
}

bool SerialClient::hung_up() const {
    constexpr int patience_ms = 10'000;
    pollfd port{.fd = fd_, .events = 0, .revents = 0};
    return ::poll(&port, 1, patience_ms) > 0 && (port.revents & POLLHUP) != 0;
}

}  // namespace smsrack::test
