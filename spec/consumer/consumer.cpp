// SPDX-License-Identifier: MIT
// consumer DIRECTORY: croft.h from C++17. Exit status 0 when all is as it should be.
#include <croft.h>

#include <iostream>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace
{

using view_pointer = std::unique_ptr<croft_view, decltype(&croft_view_close)>;
using session_pointer = std::unique_ptr<croft_session, decltype(&croft_session_close)>;

void check(croft_status status, const croft_error &err)
{
    if (status != CROFT_OK)
        throw std::runtime_error(err.message);
}

view_pointer open_view(const char *root)
{
    croft_view *view = nullptr;
    croft_error err{};

    check(croft_view_open(root, nullptr, &view, &err), err);
    return {view, croft_view_close};
}

session_pointer open_session(croft_view *view, std::string *greeting)
{
    const croft_function function{"greet", "greets",
                                  [](void *user, const char *, size_t, croft_reply *reply) {
                                      const auto &text = *static_cast<std::string *>(user);
                                      croft_reply_json(reply, text.data(), text.size());
                                  },
                                  greeting};
    croft_session_options options;
    croft_session *session = nullptr;
    croft_error err{};

    croft_session_options_init(&options);
    options.functions = &function;
    options.function_count = 1;
    check(croft_session_open(view, &options, &session, &err), err);
    return {session, croft_session_close};
}

std::string call(croft_session *session, const char *tool, std::string_view args)
{
    croft_result result;
    const auto status = croft_call(session, tool, args.data(), args.size(), nullptr, &result);
    std::string text(result.text == nullptr ? "" : result.text, result.text_size);
    const bool good = status == CROFT_OK && result.outcome == CROFT_DONE;

    croft_result_free(&result);
    return good ? text : "";
}

} // namespace

int main(int argc, char **argv)
try {
    if (argc != 2)
        return 2;
    std::string greeting = "\"hello\"";
    auto view = open_view(argv[1]);
    auto session = open_session(view.get(), &greeting);
    std::vector<std::thread> threads;
    std::vector<std::string> texts(4);

    for (auto &text : texts)
        threads.emplace_back([&] { text = call(session.get(), "list", "{}"); });
    for (auto &thread : threads)
        thread.join();
    for (const auto &text : texts)
        if (text.empty())
            return 1;
    return 0;
} catch (const std::exception &error) {
    std::cerr << "consumer: " << error.what() << '\n';
    return 1;
}
