"""What neither schema nor yaml tells of an operation. Every name is checked to be an operation."""


def words(text):
    return frozenset(text.split())


def by_word(**lists):
    return {name: key for key, text in lists.items() for name in text.split()}


# Where the yaml's `device_check` says less than the code behind it.
DEVICE_RULES = by_word(
    kCopy="copy copy_ _copy_from copy_sparse_to_sparse copy_sparse_to_sparse_ to cpu cuda _to_copy"
    " _to_cpu set_data type_as",
    kIndexing="index index_put index_put_ _index_put_impl _index_put_impl_",
    # These end in operations that compare exactly: losses over classes, products and layers.
    kExactSame="set set_ _cudnn_rnn nll_loss nll_loss_nd nll_loss2d cross_entropy_loss"
    " linear matmul bilinear conv1d conv2d conv3d conv_transpose1d conv_transpose2d"
    " conv_transpose3d convolution embedding embedding_bag batch_norm instance_norm layer_norm"
    " group_norm lstm lstm_cell gru gru_cell rnn_tanh rnn_tanh_cell rnn_relu rnn_relu_cell"
    " scaled_dot_product_attention",
    kTensorIterator="fill special_chebyshev_polynomial_t special_chebyshev_polynomial_u"
    " special_chebyshev_polynomial_v special_chebyshev_polynomial_w special_hermite_polynomial_h"
    " special_hermite_polynomial_he special_laguerre_polynomial_l special_legendre_polynomial_p"
    " special_shifted_chebyshev_polynomial_t special_shifted_chebyshev_polynomial_u"
    " special_shifted_chebyshev_polynomial_v special_shifted_chebyshev_polynomial_w",
    kComposite="cummaxmin_backward cumprod_backward infinitely_differentiable_gelu_backward",
    # These look at sizes, dtypes or one operand only, or copy into a tensor of self's device.
    kNone="_has_compatible_shallow_copy_type _has_same_storage_numel result_type resize_as"
    " resize_as_ resize_as_sparse resize_as_sparse_ align_as align_tensors pad_sequence dequantize"
    " unflatten_dense_tensors count remove sorted"
    " _new_zeros_with_same_feature_meta _pack_sequence",
)

RESULT_PLACES = by_word(
    kTransfer="to cpu cuda _to_copy _to_cpu",
    kOther="type_as",
    kSelf="pin_memory _pin_memory _resize_output",
)

# Arguments that may be on the CPU, or anywhere, whatever the others are on.
FREE_ARGUMENTS = {
    "index": words("indices"),
    "index_put": words("indices"),
    "index_put_": words("indices"),
    "_index_put_impl": words("indices"),
    "_index_put_impl_": words("indices"),
    "narrow": words("start"),
    "tensor_split": words("tensor_indices_or_sections"),
    "ctc_loss": words("targets input_lengths target_lengths"),
    "_pack_padded_sequence": words("lengths"),
    "_pad_packed_sequence": words("batch_sizes"),
    "lstm": words("batch_sizes"),
    "gru": words("batch_sizes"),
    "rnn_tanh": words("batch_sizes"),
    "rnn_relu": words("batch_sizes"),
    "expand_as": words("other"),
    "view_as": words("other"),
    "reshape_as": words("other"),
    "type_as": words("other"),
    "to": words("other"),
    "copy_": words("src other"),
    "copy": words("src"),
    "set_data": words("new_data"),
    # A single number, which is read from wherever it is.
    "fill": words("value"),
    "fill_": words("value"),
    "index_fill": words("value"),
    "index_fill_": words("value"),
    "masked_fill": words("value"),
    "masked_fill_": words("value"),
    # Probabilities are copied to where they are drawn with.
    "bernoulli_": words("p"),
}

# 0-dim without a dim argument; elementwise where there is an overload with a second operand.
REDUCTIONS = words(
    "sum mean prod max min norm std var any all nansum nanmean median nanmedian argmax argmin amax"
    " amin count_nonzero std_mean var_mean aminmax logsumexp linalg_norm linalg_vector_norm"
)

# The in-place form of these changes the rank.
RESHAPED_IN_PLACE = words(
    "squeeze unsqueeze resize resize_as as_strided set sparse_resize sparse_resize_and_clear"
    " resize_as_sparse"
)

RANKS = {
    "kScalar": words("dot vdot trace dist scalar_tensor"),
    "kNonScalar": words(
        "mm bmm addmm addmm_ addmv addmv_ addr addr_ addbmm addbmm_ baddbmm baddbmm_ mv"
        " chain_matmul bilinear outer ger"
        " conv1d conv2d conv3d conv_tbc conv_transpose1d conv_transpose2d conv_transpose3d"
        " convolution _convolution cudnn_convolution"
        " cat concat concatenate stack hstack vstack dstack column_stack row_stack block_diag"
        " embedding unsqueeze unsqueeze_ flatten ravel atleast_1d atleast_2d atleast_3d one_hot"
        " nonzero argwhere masked_select eye diag_embed diagflat arange range linspace logspace"
        " randperm transformer_generate_square_subsequent_mask tril_indices triu_indices vander"
        " bincount histc cdist pdist cartesian_prod"
        " combinations pad_sequence im2col col2im rms_norm scaled_dot_product_attention"
        " _scaled_dot_product_attention __interpolate embedding_bag lstm gru rnn_tanh rnn_relu"
        " lstm_cell gru_cell rnn_tanh_cell rnn_relu_cell pad topk"
        " bartlett_window blackman_window hamming_window hann_window kaiser_window"
        " fft_fftfreq fft_rfftfreq fft_fft fft_ifft fft_rfft fft_irfft stft istft"
        " adaptive_avg_pool1d adaptive_avg_pool2d adaptive_avg_pool3d avg_pool1d avg_pool2d"
        " avg_pool3d max_pool1d max_pool2d max_pool3d max_unpool2d max_unpool3d"
        " upsample_nearest1d upsample_nearest2d upsample_nearest3d upsample_linear1d"
        " upsample_bilinear2d upsample_trilinear3d upsample_bicubic2d"
        " batch_norm layer_norm group_norm instance_norm native_layer_norm"
        " pixel_shuffle pixel_unshuffle channel_shuffle grid_sampler affine_grid_generator"
        " constant_pad_nd reflection_pad1d reflection_pad2d reflection_pad3d replication_pad1d"
        " replication_pad2d replication_pad3d glu multinomial view_as_real"
        " linalg_inv linalg_cholesky linalg_qr linalg_svd linalg_eigh inverse matrix_exp"
        " linalg_matrix_exp linalg_matrix_power matrix_power cholesky qr svd fliplr flipud rot90"
    ),
    "kProduct": words("linear matmul linalg_matmul linalg_multi_dot"),
    "kElementwise": words("kron"),
    "kFromSizes": words(
        "view reshape expand broadcast_to as_strided repeat resize resize_ view_copy expand_copy"
        " _reshape_alias from_blob"
    ),
    "kFromData": words("tensor as_tensor new_tensor"),
    "kSameAsSelf": words(
        "to cpu cuda _to_copy clone contiguous detach alias data pin_memory type_as lift_fresh"
        " dropout alpha_dropout feature_dropout feature_alpha_dropout native_dropout softmax"
        " log_softmax _softmax _log_softmax special_softmax special_log_softmax cumsum cumprod"
        " logcumsumexp flip roll sort argsort msort t transpose permute swapaxes swapdims moveaxis"
        " movedim adjoint mT mH index_add index_copy index_fill index_put index_reduce scatter"
        " scatter_add scatter_reduce put copy rrelu_with_noise isnan isinf isfinite isposinf"
        " isneginf isreal signbit nan_to_num positive conj resolve_conj resolve_neg to_dense"
        " gelu silu mish prelu logit sgn exp2 bernoulli renorm numpy_T index_select slice narrow"
        " cummax cummin"
    ),
    "kUnknown": words(
        "masked_scatter index squeeze squeeze_ set_ resize_as_ as_strided_ sparse_resize_"
    ),
}

# Operations that are made in the headers of the framework, or came with a later version of it.
OPTIONS = (
    "*, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None"
)
EXTRA_SCHEMAS = [
    f"aten::from_blob(int data, int[] size, {OPTIONS}) -> Tensor",
    "aten::new_tensor(Tensor self, t[] data, *, ScalarType? dtype=None, Device? device=None,"
    " bool requires_grad=False) -> Tensor",
    "aten::rms_norm(Tensor input, SymInt[] normalized_shape, Tensor? weight=None, float? eps=None)"
    " -> Tensor",
    "aten::scaled_dot_product_attention(Tensor query, Tensor key, Tensor value, Tensor?"
    " attn_mask=None, float dropout_p=0.0, bool is_causal=False, *, float? scale=None) -> Tensor",
    "aten::transformer_generate_square_subsequent_mask(int sz, Device? device=None,"
    " ScalarType? dtype=None) -> Tensor",
]
