// `smsrack tls new`: a key, and a certificate of its own, for the listener of smsrack-gate.
#include "firmware-host/setup/local_accounts.hpp"
#include "src/access/certificate.hpp"
#include "tools/smsrack/commands.hpp"
#include "tools/smsrack/real_clock.hpp"
#include "tools/smsrack/report.hpp"
#include "tools/smsrack/whole_file.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <ifaddrs.h>
#include <memory>
#include <netdb.h>
#include <string>
#include <sys/socket.h>
#include <unistd.h>
#include <vector>

namespace smsrack::cli {
namespace {

constexpr mode_t key_mode = 0640;  // for the group of the gate
constexpr std::size_t names_max = 32;

struct TlsNewOptions {
    std::string certificate = "/etc/smsrack/tls.pem";
    std::string key = "/etc/smsrack/tls.key";
    std::vector<std::string> names = {};  ///< empty: those of this machine
};

/// Its own name, localhost, and its addresses but those that hold on one link alone.
std::vector<std::string> names_of_machine() {
    std::vector<std::string> names;
    std::array<char, 256> host{};
    if (::gethostname(host.data(), host.size() - 1) == 0 && host.front() != '\0') {
        names.emplace_back(host.data());
    }
    names.emplace_back("localhost");
    ifaddrs* found = nullptr;
    if (::getifaddrs(&found) != 0) {
        return names;
    }
    const std::unique_ptr<ifaddrs, decltype(&::freeifaddrs)> all(found, ::freeifaddrs);
    for (const ifaddrs* one = all.get(); one != nullptr; one = one->ifa_next) {
        const int family = one->ifa_addr == nullptr ? AF_UNSPEC : one->ifa_addr->sa_family;
        const socklen_t size = family == AF_INET ? sizeof(sockaddr_in) : sizeof(sockaddr_in6);
        std::array<char, NI_MAXHOST> text{};
        if ((family == AF_INET || family == AF_INET6) &&
            ::getnameinfo(one->ifa_addr, size, text.data(), text.size(), nullptr, 0,
                          NI_NUMERICHOST) == 0 &&
            !std::string_view(text.data()).contains('%') && names.size() < names_max) {
            names.emplace_back(text.data());
        }
    }
    return names;
}

Failure tls_failure(const Error& error) {
    const bool refused = error.code == Errc::not_allowed;
    const bool exists = error.code == Errc::conflict;
    return {.code = refused ? ExitCode::not_allowed : ExitCode::failed,
            .message = error.context + (refused  ? "; do this as root"
                                        : exists ? "; move it away first, nothing was changed"
                                                 : "")};
}

Outcome<> new_certificate(const TlsNewOptions& options, Context& context) {
    const auto made = access::self_signed(
        options.names.empty() ? names_of_machine() : options.names, RealClock().wall());
    if (!made) {
        const bool usage = made.error().code == Errc::bad_request;
        return failure(usage ? ExitCode::usage : ExitCode::failed,
                       (usage ? "--name: " : "") + made.error().context);
    }
    const auto group = ::geteuid() == 0 ? host::local_group("smsrack-gate") : std::nullopt;
    if (const auto key = write_whole_file(options.key, made->key, Existing::keep, key_mode, group);
        !key) {
        return std::unexpected(tls_failure(key.error()));
    }
    if (const auto certificate =
            write_whole_file(options.certificate, made->certificate, Existing::keep);
        !certificate) {
        (void)::unlink(options.key.c_str());  // it has no certificate
        return std::unexpected(tls_failure(certificate.error()));
    }
    return report(
        {{"certificate", options.certificate}, {"key", options.key}, {"sha256", made->sha256}},
        fmt::format("{} and {} are there. In smsrack.toml:\n\n[http]\ntls_cert = "
                    "\"{}\"\ntls_key  = \"{}\"\n\nSHA-256 {}\n",
                    options.certificate, options.key, options.certificate, options.key,
                    made->sha256),
        context);
}

}  // namespace

void declare_tls(const CommandGroup& program) {
    const CommandGroup tls =
        program.group("tls", "key and certificate for access over the network");
    const auto fresh = tls.command(
        {"new", "make a key and a certificate that it signs itself", {"tls new --name box.lan"}},
        new_certificate);
    fresh.app.add_option("--name", fresh.options.names,
                         "name or address of this box, several times (default: all it has)");
    fresh.app.add_option("--cert", fresh.options.certificate, "file of the certificate")
        ->capture_default_str();
    fresh.app.add_option("--key", fresh.options.key, "file of the key")->capture_default_str();
}

}  // namespace smsrack::cli
