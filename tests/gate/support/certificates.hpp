/// Certificates for servers of tests.
#pragma once

#include "src/access/certificate.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <openssl/ssl.h>
#include <string>

namespace smsrack::test {

/// Signs itself, for this name; made at this time, so that it may have ended.
class TestCertificate {
public:
    TestCertificate(const std::filesystem::path& folder, const std::string& name, WallTime made)
        : file_((folder / (name + ".pem")).string()) {
        const std::string key = (folder / (name + ".key")).string();
        const auto certificate = access::self_signed({name}, made);
        std::ofstream(file_) << certificate.value().certificate;
        std::ofstream(key) << certificate.value().key;
        context_.reset(SSL_CTX_new(TLS_server_method()), SSL_CTX_free);
        REQUIRE(SSL_CTX_use_certificate_chain_file(context_.get(), file_.c_str()) == 1);
        REQUIRE(SSL_CTX_use_PrivateKey_file(context_.get(), key.c_str(), SSL_FILETYPE_PEM) == 1);
    }

    [[nodiscard]] const std::string& file() const { return file_; }
    [[nodiscard]] std::shared_ptr<SSL_CTX> server() const { return context_; }

private:
    std::string file_;
    std::shared_ptr<SSL_CTX> context_;
};

}  // namespace smsrack::test
