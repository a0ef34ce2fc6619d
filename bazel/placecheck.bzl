"""placecheck in a Bazel build, see CONTRIBUTING.md of placecheck, "In a Bazel build".

The aspect `placecheck` lowers each source of each target in an action of its own, which any cache or remote
executor can take, and solves each binary and test in one more:

    bazel build --aspects=@placecheck//bazel:placecheck.bzl%placecheck --output_groups=placecheck //...

`placecheck_test` is a test that fails with the findings in its `deps`.

What the actions read is a set of flags: --@placecheck//bazel:analyzer, clang_headers, config, baseline, models.
"""

load(":cpp_flags.bzl", "cpp_compile_flags")
load(":cuda_source.bzl", "CudaSourceInfo")

PlacecheckInfo = provider(
    doc = "What a target and all that it depends on were lowered to.",
    fields = {
        "units": "depset of files of --emit-unit",
        "sources": "depset of the files in which findings can be",
    },
)

_CPP = ["cc", "cpp", "cxx", "c++", "C", "cu"]
_SOURCE_ATTRIBUTES = ["srcs", "hdrs", "textual_hdrs"]
_DEPENDENCY_ATTRIBUTES = ["deps", "implementation_deps", "srcs"]

# The files that the actions are told of, beside those of the targets.
_SETTINGS = {
    "_analyzer": attr.label(
        default = "//bazel:analyzer",
        allow_files = True,
        executable = True,
        cfg = "exec",
    ),
    "_config": attr.label(default = "//bazel:config", allow_files = True),
    "_baseline": attr.label(default = "//bazel:baseline", allow_files = True),
    "_models": attr.label(default = "//bazel:models", allow_files = True),
}

def _settings_arguments(files, path_of):
    """The options for `files`, a struct of lists, each with the path that `path_of` gives it."""
    options = [("--config", files.config), ("--baseline", files.baseline), ("--models", files.models)]
    return ["%s=%s" % (option, path_of(file)) for option, some in options for file in some]

def _settings_files(ctx):
    return struct(config = ctx.files._config, baseline = ctx.files._baseline, models = ctx.files._models)

def _all_of(settings):
    return settings.config + settings.baseline + settings.models

def _targets(ctx, attribute):
    """What a rule has there, which need not be a list of labels."""
    value = getattr(ctx.rule.attr, attribute, None)
    if type(value) == "Target":
        return [value]
    if type(value) in ("list", "dict"):
        return [each for each in value if type(each) == "Target"]
    return []

def _files_of(ctx, attributes):
    return [
        file
        for attribute in attributes
        for target in _targets(ctx, attribute)
        for file in target.files.to_list()
        if file.is_source
    ]

def _clang_headers(ctx):
    """The option that names the folder of Clang's headers."""
    for file in ctx.files._clang_headers:
        folder, _, rest = file.path.partition("/include/")
        if rest:
            return ["--clang-headers=" + folder]
    return []

def _lower(ctx, source, inputs, flags):
    """The file with the unit of `source`, which is read with `inputs` and nothing else."""
    unit = ctx.actions.declare_file("%s.placecheck/%s.unit" % (ctx.label.name, source.short_path))
    arguments = ctx.actions.args()
    arguments.add("--emit-unit", unit)
    arguments.add("--no-guess")
    arguments.add_all(_clang_headers(ctx))
    arguments.add(source)
    arguments.add("--")
    arguments.add_all(flags)
    ctx.actions.run(
        outputs = [unit],
        inputs = depset([source] + ctx.files._clang_headers, transitive = [inputs]),
        executable = ctx.executable._analyzer,
        arguments = [arguments],
        mnemonic = "PlacecheckLower",
        progress_message = "Lowering %s for placecheck" % source.short_path,
    )
    return unit

def _compilation_context(target, ctx):
    """Of the target's own sources; some rules for binaries provide none."""
    if CcInfo in target:
        return target[CcInfo].compilation_context
    infos = [dep[CcInfo] for dep in _targets(ctx, "deps") if CcInfo in dep]
    own = CcInfo(compilation_context = cc_common.create_compilation_context(
        headers = depset(_files_of(ctx, _SOURCE_ATTRIBUTES)),
        quote_includes = depset([".", ctx.genfiles_dir.path]),
        defines = depset(getattr(ctx.rule.attr, "defines", []) +
                         getattr(ctx.rule.attr, "local_defines", [])),
    ))
    return cc_common.merge_cc_infos(cc_infos = [own] + infos).compilation_context

def _lower_cpp(target, ctx):
    sources = [file for file in _files_of(ctx, ["srcs"]) if file.extension in _CPP]
    if not sources or not (CcInfo in target or ctx.rule.kind.startswith("cc_")):
        return []
    context = _compilation_context(target, ctx)
    flags = cpp_compile_flags(ctx, context)
    inputs = depset(transitive = [context.headers, ctx.attr._cc_toolchain[cc_common.CcToolchainInfo].all_files])
    return [_lower(ctx, source, inputs, flags) for source in sources]

def _lower_cuda(target, ctx):
    if CudaSourceInfo not in target:
        return []
    info = target[CudaSourceInfo]
    return [_lower(ctx, info.source, info.headers, info.flags)]

def _lower_python(target, ctx):
    if PyInfo not in target:
        return []

    # What a name means is said by the files that are imported.
    inputs = target[PyInfo].transitive_sources
    return [_lower(ctx, file, inputs, []) for file in _files_of(ctx, ["srcs"]) if file.extension == "py"]

def _solve(ctx, name, info, options, fails):
    """A report of the program; with findings, the action fails where it `fails` at all."""
    report = ctx.actions.declare_file(name)
    settings = _settings_files(ctx)
    units = ctx.actions.args()
    units.set_param_file_format("multiline")
    units.use_param_file("@%s", use_always = True)
    units.add_all(info.units)
    ctx.actions.run_shell(
        outputs = [report],
        inputs = depset(_all_of(settings), transitive = [info.units, info.sources]),
        tools = [ctx.executable._analyzer],
        # What is printed is shown where the action fails.
        command = 'report=$1; shift; "$@" >"$report" 2>"$report.err" || ' +
                  '{ code=$?; [ $code -lt %d ] || { cat "$report.err" "$report" >&2; exit 1; }; }' %
                  (1 if fails else 2),
        arguments = [
            report.path,
            ctx.executable._analyzer.path,
            "--units",
        ] + options + _settings_arguments(settings, _path) + [units],
        mnemonic = "PlacecheckSolve",
        progress_message = "Checking %s with placecheck" % ctx.label,
    )
    return report

def _path(file):
    return file.path

def _short_path(file):
    return file.short_path

def _merged(infos, units = [], sources = []):
    return PlacecheckInfo(
        units = depset(units, transitive = [info.units for info in infos]),
        sources = depset(sources, transitive = [info.sources for info in infos]),
    )

def _placecheck_impl(target, ctx):
    infos = [
        dep[PlacecheckInfo]
        for attribute in _DEPENDENCY_ATTRIBUTES
        for dep in _targets(ctx, attribute)
        if PlacecheckInfo in dep
    ]

    # Of what comes from other repositories the models speak.
    if ctx.label.workspace_name:
        return [_merged(infos)]
    units = _lower_cpp(target, ctx) + _lower_cuda(target, ctx) + _lower_python(target, ctx)
    info = _merged(infos, units, _files_of(ctx, _SOURCE_ATTRIBUTES))
    groups = {"placecheck_units": info.units, "placecheck": info.units}
    if units and target[DefaultInfo].files_to_run.executable:
        name = ctx.label.name + ".placecheck"
        groups["placecheck"] = depset([_solve(ctx, name + ".txt", info, [], fails = True)])
        groups["placecheck_sarif"] = depset(
            [_solve(ctx, name + ".sarif", info, ["--format=sarif"], fails = False)],
        )
    return [info, OutputGroupInfo(**groups)]

placecheck = aspect(
    implementation = _placecheck_impl,
    attr_aspects = _DEPENDENCY_ATTRIBUTES,
    attrs = dict(
        _SETTINGS,
        _cc_toolchain = attr.label(default = "@bazel_tools//tools/cpp:current_cc_toolchain"),
        _clang_headers = attr.label(default = "//bazel:clang_headers", allow_files = True),
    ),
    fragments = ["cpp"],
    toolchains = ["@bazel_tools//tools/cpp:toolchain_type"],
)

def _placecheck_test_impl(ctx):
    info = _merged([dep[PlacecheckInfo] for dep in ctx.attr.deps])
    settings = struct(
        config = ctx.files.config or ctx.files._config,
        baseline = ctx.files.baseline or ctx.files._baseline,
        models = ctx.files.models or ctx.files._models,
    )
    units = ctx.actions.declare_file(ctx.label.name + ".units")
    lines = ctx.actions.args()
    lines.set_param_file_format("multiline")
    lines.add_all(info.units, map_each = _short_path)
    ctx.actions.write(units, lines)
    script = ctx.actions.declare_file(ctx.label.name + ".sh")
    options = _settings_arguments(settings, _short_path)

    # Under `bazel run`, too, paths are those of the runfiles.
    ctx.actions.write(script, '#!/bin/sh\nexec env -u BUILD_WORKING_DIRECTORY %s --units %s "$@" @%s\n' % (
        ctx.executable._analyzer.short_path,
        " ".join(["'%s'" % option for option in options]),
        units.short_path,
    ), is_executable = True)
    return [DefaultInfo(
        executable = script,
        runfiles = ctx.runfiles(
            files = [units, ctx.executable._analyzer] + _all_of(settings),
            transitive_files = depset(transitive = [info.units, info.sources]),
        ).merge(ctx.attr._analyzer[DefaultInfo].default_runfiles),
    )]

placecheck_test = rule(
    implementation = _placecheck_test_impl,
    doc = "Fails with the findings in `deps` and what they depend on; `args` are options of placecheck.",
    attrs = dict(
        _SETTINGS,
        deps = attr.label_list(aspects = [placecheck]),
        config = attr.label(allow_single_file = True, doc = "a .placecheck.yaml"),
        baseline = attr.label(allow_single_file = True, doc = "a file of --write-baseline"),
        models = attr.label_list(allow_files = True, doc = "files of --models"),
    ),
    test = True,
)
