#include "tools/smsrack/rack/cluster_unit.hpp"

#include "db/postgres/connect_plan.hpp"
#include "tools/smsrack/doctor/doctor_unit.hpp"
#include "tools/smsrack/whole_file.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fmt/format.h>
#include <memory>
#include <netdb.h>
#include <sys/socket.h>
#include <system_error>
#include <unistd.h>
#include <vector>

namespace smsrack::cli {
namespace {

constexpr const char* part_file = "/etc/systemd/system/smsrackd.service.d/cluster.conf";

Outcome<std::set<std::string>> addresses_of(const std::string& host) {
    addrinfo* list = nullptr;
    addrinfo wanted{};
    wanted.ai_socktype = SOCK_STREAM;
    if (const int error = ::getaddrinfo(host.c_str(), nullptr, &wanted, &list); error != 0) {
        return failure(ExitCode::failed,
                       fmt::format("engine: {} has no address: {}", host, ::gai_strerror(error)));
    }
    const std::unique_ptr<addrinfo, void (*)(addrinfo*)> found(list, ::freeaddrinfo);
    std::set<std::string> addresses;
    for (const addrinfo* one = found.get(); one != nullptr; one = one->ai_next) {
        std::array<char, NI_MAXHOST> text{};
        if (::getnameinfo(one->ai_addr, one->ai_addrlen, text.data(), text.size(), nullptr, 0,
                          NI_NUMERICHOST) == 0) {
            addresses.insert(text.data());
        }
    }
    return addresses;
}

Outcome<> write_part(const std::set<std::string>& addresses, Context& context) {
    const std::filesystem::path file = part_file;
    std::error_code error;
    std::filesystem::create_directories(file.parent_path(), error);
    if (auto written = write_whole_file(file, unit_part(addresses), Existing::replace); !written) {
        return failure(ExitCode::failed, written.error().context);
    }
    context.console.note(
        fmt::format("{} lets the service reach the engine: `systemctl daemon-reload`", part_file));
    return ExitCode::done;
}

}  // namespace

std::string unit_part(const std::set<std::string>& addresses) {
    std::string text =
        "# Made by `smsrack cluster join`: the service reaches the engine of its fleet, and "
        "nothing "
        "else.\n"
        "[Service]\n"
        "RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6\n"
        "IPAddressDeny=any\n";
    for (const std::string& address : addresses) {
        text += "IPAddressAllow=" + address + "\n";
    }
    return text;
}

std::set<std::string> resolvers_in(std::string_view text) {
    constexpr std::string_view word = "nameserver";
    std::set<std::string> addresses;
    while (!text.empty()) {
        const std::size_t length = std::min(text.find('\n'), text.size());
        std::string_view line = text.substr(0, length);
        text.remove_prefix(std::min(length + 1, text.size()));
        if (line.starts_with(word)) {
            line.remove_prefix(word.size());
            const std::size_t begin = std::min(line.find_first_not_of(" \t"), line.size());
            line.remove_prefix(begin);
            line = line.substr(0, line.find_first_of(" \t\r%"));
            if (begin > 0 && !line.empty()) {
                addresses.emplace(line);
            }
        }
    }
    return addresses;
}

Outcome<> let_service_reach(const std::string& conninfo, Context& context) {
    const auto hosts = postgres::ip_hosts(conninfo);
    if (!hosts) {
        return failure(ExitCode::bad_data, hosts.error().context);
    }
    const ServiceUnit unit = look_for_unit();
    if (hosts->empty() || !unit.systemd || !unit.there) {
        return ExitCode::done;
    }
    if (::geteuid() != 0) {
        context.console.note(fmt::format(
            "the unit of the service allows no IP: run this command as root, which makes {}",
            part_file));
        return ExitCode::done;
    }
    std::set<std::string> addresses =
        resolvers_in(read_small_file("/etc/resolv.conf").value_or(""));
    for (const std::string& host : *hosts) {
        auto found = addresses_of(host);
        if (!found) {
            return std::unexpected(found.error());
        }
        addresses.merge(*found);
    }
    return write_part(addresses, context);
}

}  // namespace smsrack::cli
